import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { useWorld } from '../harness/no-internal-errors.ts';
import { runProgram } from '../harness/run-program.ts';
import { uniqueName } from '../harness/world.ts';

const world = await useWorld();

const script = join(import.meta.dirname, '../../infra/local/import.ts');
const here = mkdtempSync(join(tmpdir(), 'import-'));
const name = `${uniqueName('file of Zoë')}.ndjson`;

beforeAll(() => {
  mkdirSync(join(here, '.local'));
  writeFileSync(join(here, '.local/outputs.json'), JSON.stringify(world.outputs));
});

async function command(args: readonly string[], cwd = here) {
  const { complaint, ...result } = await runProgram(process.execPath, [script, ...args], { cwd });
  // Removes the progress lines.
  return { ...result, complaint: complaint.replace(/^.* \(\d+ %\)\n/gm, '') };
}

/** Writes the given lines to a file and runs the import command with it. The file always has the same name. */
function run(lines: readonly object[]) {
  writeFileSync(join(here, name), lines.map((line) => JSON.stringify(line)).join('\n'));
  return command([name]);
}

test.each(['people', 'people.ndjson', '.'])(
  'the import command reports that the file %s does not exist before it looks for a stack',
  async (missing) => {
    const stackless = mkdtempSync(join(tmpdir(), 'no-stack-'));
    const said = { code: 2, out: '', complaint: `no such file: ${missing}\n` };
    expect(await command([missing], stackless)).toEqual(said);
  },
);

test('the import command reports that a file with the same name and content has already been imported', async () => {
  const register = () => [{ change: 'register', uin: uniqueName('A'), attributes: { firstName: 'Ada' } }];
  const [one, other] = [register(), register()];
  for (const lines of [one, other]) {
    const { code, out } = await run(lines);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ lines: 1, register: 1, rejected: 0 });
  }
  for (const again of [one, one]) {
    const { code, out } = await run(again);
    expect(code).toBe(0);
    expect(out).toContain(`This file was already imported as imports/${name} at `);
    expect(JSON.parse(out.split('\n')[1] ?? '')).toMatchObject({ lines: 1, register: 1 });
  }
});

test('the import command prints the first rejected lines and the address at which the full report is stored', async () => {
  const others = Array.from({ length: 12 }, () => ({ change: 'remove', uin: uniqueName('no person') }));
  const lines = [{ change: 'nothing' }, ...others];
  const malformed = await run(lines);
  expect(malformed).toMatchObject({ code: 1, complaint: expect.stringContaining('line 1: change must be one of ') });
  expect(malformed.complaint).toContain('1 of 13 lines are malformed, and no line was applied');
  expect(JSON.parse(malformed.out)).toMatchObject({ lines: 13, rejected: 1 });
  const skipping = [name, '--skip-malformed'];
  const { code, out, complaint } = await command(skipping);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ lines: 13, rejected: 13 });
  const [first, second, ...more] = complaint.trimEnd().split('\n');
  expect(first).toMatch(/^line 1: change must be one of /);
  expect(second).toBe('line 2: uin does not exist in this registry');
  expect(more).toHaveLength(10);
  expect(more.at(-2)).toBe('and 3 more');
  const [address = ''] = /http:\S+$/.exec(more.at(-1) ?? '') ?? [];
  const report = await (await fetch(address)).json();
  expect(report).toMatchObject({ rejected: 13 });

  const again = await command(skipping);
  expect(again).toEqual({ code: 1, out: expect.stringContaining('Nothing was applied this time'), complaint });
  expect(await (await fetch(address)).json()).toMatchObject({ rejected: 0, repeats: { rejected: 13 } });
});

test('the import command uploads a CSV file under a name that contains the kind of change', async () => {
  const uin = uniqueName('A');
  writeFileSync(join(here, 'people.csv'), `uin,firstName\n${uin},Ada\n`);
  const unnamed = await command(['people.csv']);
  expect(unnamed).toMatchObject({ code: 2, out: '' });
  expect(unnamed.complaint).toContain('people.update.csv. Or pass --change register or --change update');
  for (const change of ['register', 'update']) {
    const { code, out } = await command(['people.csv', '--change', change]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ lines: 1, [change]: 1, rejected: 0 });
  }
  const other = await command(['people.csv', '--change', 'remove']);
  expect(other.complaint).toContain('must contain one of the changes register and update');
  expect((await command([name, '--change', 'update'])).complaint).toContain('--change is only for CSV files');
});
