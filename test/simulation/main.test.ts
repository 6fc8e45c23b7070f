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
  expect(stderr).toMatch(new RegExp(`^${name} must be a whole number, 1 or more, not "${value}"\n\n`));
});

it('the help names every option of chaos mode', () => {
  const { stdout } = spawnSync(process.execPath, [script, '--help'], { encoding: 'utf8' });
  for (const name of ['--seeds', '--from', '--jobs', '--first', '--trace']) expect(stdout).toContain(name);
});
