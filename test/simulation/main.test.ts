import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const script = join(import.meta.dirname, 'main.ts');

it.each([
  ['--seeds', 'x'],
  ['--seeds', '0'],
  ['--jobs', 'x'],
])('chaos mode rejects %s %s with one line on standard error', (name, value) => {
  const { status, stderr } = spawnSync(process.execPath, [script, '--chaos', name, value], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toMatch(new RegExp(`^${name} must be a whole number of at least 1, not "${value}"\n$`));
});

it('--help lists every option of chaos mode', () => {
  const { stdout } = spawnSync(process.execPath, [script, '--help'], { encoding: 'utf8' });
  for (const name of ['--seeds', '--from', '--jobs', '--first', '--trace']) expect(stdout).toContain(name);
});

it('scale mode prints the number of accepted events next to the numbers of lost and duplicate deliveries', () => {
  const args = [script, '--subscribers', '20', '--body', '257KB', '--minutes', '1'];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout).toMatch(/\nlost 0 \(of the 0 accepted events\)\nduplicate 0 \(of the 0 accepted events\)\n$/);
});
