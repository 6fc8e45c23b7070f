import { expect, test } from 'vitest';
import { subjects } from '../../../infra/docs/subjects.ts';
import { settings } from '../../../infra/settings/settings.ts';
import { runProgram } from '../../harness/run-program.ts';

const describeCommand = (...args: string[]) =>
  runProgram(process.execPath, ['infra/docs/describe.ts', ...args], { env: { PATH: process.env.PATH } });

test.each(Object.keys(subjects))('describe %s prints every entry once, with its properties', async (subject) => {
  const { code, out, complaint } = await describeCommand(subject);
  expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
  const names = out.split('\n').filter((line) => /^\S/.test(line));
  expect(names).toEqual((subjects[subject] ?? []).map(([name]) => name));
  expect(new Set(out.split('\n\n')).size).toBe(names.length);
  expect(out.split('\n').filter((line) => !/^\S|^ {2}[a-z ]+: \S|^$/.test(line))).toEqual([]);
});

test('describe prints the meaning, default and group of a single setting', async () => {
  const { out } = await describeCommand('settings', 'uinLength');
  expect(out).toBe('uinLength\n  meaning: length of a new UIN: 8 to 19 digits\n  default: 12\n  group: identity\n');
});

test("describe separates a function's permissions with commas", () => {
  const [, permissions] = subjects.functions?.find(([name]) => name === 'deleteTopic') ?? [];
  expect(permissions?.['may use']).toBe('topics:read, topics:remove, queues:cleanUp');
});

test('describe lists every setting that a deployment has', () => {
  expect(subjects.settings?.map(([name]) => name).toSorted()).toEqual(Object.keys(settings).toSorted());
});

test('the help text of describe lists every subject', async () => {
  const { out } = await describeCommand('--help');
  expect([...out.matchAll(/^ {2}(\w+) /gm)].map(([, subject]) => subject)).toEqual(Object.keys(subjects));
});

test.each([
  [[], 'Name a subject; npm run -s describe -- --help lists the options'],
  [['topics'], 'There is no subject topics; npm run -s describe -- --help lists the options'],
  [['settings', 'uinLenght'], 'settings: there is no uinLenght; npm run -s describe -- settings lists all'],
  [['logs', 'a', 'b'], "Unexpected argument 'b'; npm run -s describe -- --help lists the options"],
])('describe exits with 2 and prints one line for the invalid arguments %j', async (args, complaint) => {
  expect(await describeCommand(...args)).toEqual({ code: 2, out: '', complaint: `${complaint}\n` });
});
