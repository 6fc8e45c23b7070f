import { expect, it } from 'vitest';
import { ndjson, nextChunk, register, useImports } from '../../harness/import-harness.ts';

const imports = useImports();
const ada = { firstName: 'Ada' };

it('an import with a malformed line applies no lines, and lists the malformed line without its values', async () => {
  const secret = 'Xyzzy';
  const text = ndjson(register('A-1', ada), register('B-1', { firstname: secret }), register('C-1', ada));
  const report = await imports.import('imports/people.ndjson', text);
  expect(report).toMatchObject({ lines: 3, applied: { register: 0 }, repeated: 0, rejected: 1 });
  expect(report.rejectedLines).toEqual([{ line: 2, field: 'attributes', reason: expect.stringContaining('did you') }]);
  expect(report.unreadable).toMatch(/^1 of 3 lines are malformed, and no line was applied\. .*--skip-malformed/);
  expect(JSON.stringify(report)).not.toContain(secret);
  expect(await imports.people()).toEqual({});
});

it('a line break in a JSON value cannot add a change to the import', async () => {
  await imports.import('imports/people.ndjson', ndjson(register('A-1', ada), register('B-1', ada)));
  const text =
    '{"change":"update","uin":"A-1","attributes":{"placeOfBirth":"Rome\n{"change":"remove","uin":"B-1"}\n"}}\n';
  const report = await imports.import('imports/smuggled.ndjson', text);
  expect(report.rejectedLines.map(({ line }) => line)).toEqual([1, 3]);
  expect(await imports.people()).toEqual({ 'A-1': ada, 'B-1': ada });
});

it('an import with malformed lines is checked again if its file is uploaded again', async () => {
  const text = `${ndjson(register('A-1', ada))}no JSON\n`;
  const first = await imports.import('imports/people.ndjson', text);
  const second = await imports.import('imports/people.ndjson', text);
  expect(second).toMatchObject({ lines: 2, rejected: 1, unreadable: first.unreadable });
  expect(second).not.toHaveProperty('repeats');
});

it('a file is not applied if it is replaced after the check', async () => {
  const text = (name: string) => ndjson(register('A-1', { firstName: name })) + nextChunk;
  await imports.put('imports/people.ndjson', text('Ada'));
  // The first run ends after the check.
  await imports.tellUntil('imports/people.ndjson', ({ input }) => JSON.stringify(input).includes('checkedAt'));
  expect(imports.payloadsIn('imports')).toHaveLength(1);
  await imports.put('imports/people.ndjson', text('Eve'));
  await imports.goOn();
  expect((await imports.report('imports/people.ndjson')).unreadable).toContain('deleted or replaced');
  expect(await imports.people()).toEqual({});
});

it('a second file with the same malformed lines gets its own report, even if its run continues the check of the first file', async () => {
  const text = `${ndjson(register('A-1', ada))}no JSON\n`;
  await imports.put('imports/one.ndjson', text);
  await imports.put('imports/two.skip-malformed.ndjson', text);
  await imports.tell('imports/one.ndjson', () => 20_000);
  await imports.purge('imports');
  await imports.tell('imports/two.skip-malformed.ndjson');
  expect(await imports.report('imports/one.ndjson')).toMatchObject({ lines: 2, applied: { register: 0 } });
  await imports.goOn();
  expect(await imports.report('imports/two.skip-malformed.ndjson')).toMatchObject({ applied: { register: 1 } });
});
