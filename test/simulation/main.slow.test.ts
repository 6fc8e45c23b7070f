import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const script = join(import.meta.dirname, 'main.ts');

it.each([
  ['--seeds', 'x'],
  ['--seeds', '0'],
  ['--jobs', 'x'],
])('chaos mode rejects %s %s and prints one line on standard error', (name, value) => {
  const { status, stderr } = spawnSync(process.execPath, [script, '--chaos', name, value], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toMatch(new RegExp(`^${name} must be a whole number from 1 to \\d+\n$`));
});

it('scale mode prints the number of accepted events next to the numbers of lost and duplicate deliveries', () => {
  const args = [script, '--subscribers', '20', '--body', '257KB', '--minutes', '1'];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout).toMatch(/\nlost 0 \(of the 0 accepted events\)\nduplicate 0 \(of the 0 accepted events\)\n$/);
});

it('chaos mode keeps every promise with tiny shards and segments, in several threads', () => {
  const args = [script, '--chaos', '--small', '--seeds', '20', '--jobs', '2'];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stdout).toContain('every promise was kept');
  expect(status).toBe(0);
});

it('--mutations reports a mutation that the judge catches', () => {
  const args = [script, '--mutations', '--only', 'retriesEarly', '--seeds', '20'];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stdout).toMatch(/^retriesEarly: caught after \d+ seeds \(normal mode, "no retry is sent early"\)$/m);
  expect(status).toBe(0);
});
