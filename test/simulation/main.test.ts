import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const script = join(import.meta.dirname, 'main.ts');

it.each([
  ['--seeds', 'x'],
  ['--seeds', '0'],
  ['--jobs', 'x'],
])('chaos mode refuses %s %s in a line', (name, value) => {
  const { status, stderr } = spawnSync(process.execPath, [script, '--chaos', name, value], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toMatch(new RegExp(`^${name} must be a whole number, 1 or more, not "${value}"\n$`));
});

it('the help names every option of chaos mode', () => {
  const { stdout } = spawnSync(process.execPath, [script, '--help'], { encoding: 'utf8' });
  for (const name of ['--seeds', '--from', '--jobs', '--first', '--trace']) expect(stdout).toContain(name);
});

it('scale mode says that an event was not taken where it counts what was lost of it', () => {
  const args = [script, '--subscribers', '20', '--body', '257KB', '--minutes', '1'];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout).toMatch(/\nlost 0 \(of the 0 events taken\)\ndoubled 0 \(of the 0 events taken\)\n$/);
});
