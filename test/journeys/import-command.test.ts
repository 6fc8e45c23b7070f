import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { leavesNoFaults } from '../harness/no-internal-errors.ts';
import { openWorld, uniqueName } from '../harness/world.ts';

const world = await openWorld();
leavesNoFaults(world);

const script = join(import.meta.dirname, '../../infra/local/import.ts');
const here = mkdtempSync(join(tmpdir(), 'import-'));
const name = `${uniqueName('file of Zoë')}.ndjson`;

beforeAll(() => {
  mkdirSync(join(here, '.local'));
  writeFileSync(join(here, '.local/outputs.json'), JSON.stringify(world.outputs));
});

async function command(args: readonly string[], cwd = here) {
  const child = spawn(process.execPath, [script, ...args], { cwd });
  const [out, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  // However slow this machine is.
  return { code, out, complaint: complaint.replace(/^.* \(\d+ %\)\n/gm, '') };
}

/** Runs the command with a file of these lines, which is always called the same. */
function run(lines: readonly object[]) {
  writeFileSync(join(here, name), lines.map((line) => JSON.stringify(line)).join('\n'));
  return command([name]);
}

test('asked for help, or for no file, it says how it is asked', async () => {
  const said = expect.stringContaining('FILE          changes of persons');
  expect(await command(['--help'])).toEqual({ code: 0, out: said, complaint: '' });
  expect(await command([])).toEqual({ code: 1, out: '', complaint: said });
});

test.each(['people', 'people.ndjson', '.'])('that there is no file %s is said before all else', async (missing) => {
  const stackless = mkdtempSync(join(tmpdir(), 'no-stack-'));
  const said = { code: 1, out: '', complaint: `there is no file ${missing}\n` };
  expect(await command([missing], stackless)).toEqual(said);
});

test('a file that gets earlier bytes again under the same name has a report of its own', async () => {
  const register = () => [{ change: 'register', uin: uniqueName('A'), attributes: { firstName: 'Ada' } }];
  const [one, other] = [register(), register()];
  for (const lines of [one, other]) {
    const { code, out } = await run(lines);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ lines: 1, register: 1, refused: 0 });
  }
  for (const again of [one, one]) {
    const { code, out } = await run(again);
    expect(code).toBe(0);
    expect(out).toContain(`imported before, as imports/${name} at `);
    expect(JSON.parse(out.split('\n')[1] ?? '')).toMatchObject({ lines: 1, register: 1 });
  }
});

test('the first lines that were refused are printed, and where the whole report is', async () => {
  const lines = Array.from({ length: 12 }, () => ({ change: 'remove', uin: uniqueName('nobody') }));
  const { code, out, complaint } = await run([{ change: 'nothing' }, ...lines]);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ lines: 13, refused: 13 });
  const [first, second, ...others] = complaint.trimEnd().split('\n');
  expect(first).toMatch(/^line 1: change must be one of /);
  expect(second).toBe('line 2: uin is nobody in this registry');
  expect(others).toHaveLength(10);
  expect(others.at(-2)).toBe('and 3 more');
  const [address = ''] = /http:\S+$/.exec(others.at(-1) ?? '') ?? [];
  const report = await (await fetch(address)).json();
  expect(report).toMatchObject({ refused: 13 });

  const again = await run([{ change: 'nothing' }, ...lines]);
  expect(again).toEqual({ code: 1, out: expect.stringContaining('nothing was applied now'), complaint });
  expect(await (await fetch(address)).json()).toMatchObject({ refused: 0, repeats: { refused: 13 } });
});
