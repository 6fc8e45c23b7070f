import { expect, test } from 'vitest';
import { OptionError } from '../../../../infra/operate/command-line.ts';
import { readRestoreOptions } from '../../../../infra/operate/restore/options.ts';
import { withRestored } from '../../../../infra/operate/restore/stage-file.ts';

const read =
  (...args: string[]) =>
  () =>
    readRestoreOptions(['--stage', 'prod', ...args]);

test('the option --to accepts any time zone, and its time is rounded down to whole seconds', () => {
  expect(read('persons', '--to', '2026-11-22T12:00:00.900+02:00')()).toMatchObject({
    ...{ stage: 'prod', kind: 'table', store: 'persons', to: new Date('2026-11-22T10:00:00Z'), isDryRun: false },
  });
  expect(read('retryDeadLetters', '--dry-run')()).toMatchObject({ kind: 'queue', isDryRun: true });
});

test.each([
  [[], 'name the stage, and the table'],
  [['people', '--to', '2026-11-22T10:00:00Z'], 'there is no store people: the stores are persons, topics, '],
  [['persons', 'topics'], "Unexpected argument 'topics'"],
  [['persons'], 'persons needs one of --to, --use, --cancel'],
  [['persons', '--to', '2026-11-22T10:00:00Z', '--use', 'a'], 'persons needs one of --to, --use, --cancel'],
  [['persons', '--to', '2026-11-22T10:00:00'], '--to 2026-11-22T10:00:00: must be a time with its time zone'],
  [['persons', '--to', '2026-22-11T10:00:00Z'], '--to 2026-22-11T10:00:00Z: must be a time with its time zone'],
  [['documents', '--cancel'], '--cancel does not apply to documents'],
  [['exportedJournal', '--to', '2026-11-22T10:00:00Z'], '--to does not apply to exportedJournal'],
  [['signing', '--use', 'a'], '--use does not apply to signing'],
  [['retry', '--value', 'a'], '--value does not apply to retry'],
  [['persons', '--too', 'a'], "Unknown option '--too'"],
])('the arguments %j are rejected: %s', (args, complaint) => {
  expect(read(...args)).toThrow(OptionError);
  expect(read(...args)).toThrow(complaint);
});

const file = (settings: string): string =>
  `import type { StageSettings } from '../settings/settings.ts';\n\nexport const settings: StageSettings = {${settings}};\n`;

test.each([
  ['', "\n  restored: 'persons=b',\n"],
  ['\n  waf: true,\n', "\n  waf: true,\n  restored: 'persons=b',\n"],
  ["\n  restored: 'persons=a,signing=arn:a=',\n", "\n  restored: 'signing=arn:a=,persons=b',\n"],
])('withRestored writes each store once into the `restored` setting of a stage: %j', (before, after) => {
  expect(withRestored(file(before), 'persons', 'b')).toBe(file(after));
  expect(withRestored(file(after), 'persons', 'b')).toBe(file(after));
});

test('withRestored throws an error if the file has an unexpected structure', () => {
  expect(() => withRestored(file(' restored: name() '), 'persons', 'b')).toThrow(
    "add persons=b to the setting restored of the stage's file",
  );
});
