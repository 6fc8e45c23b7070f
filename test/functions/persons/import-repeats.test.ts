import { expect, it } from 'vitest';
import { useClock } from '../../harness/clock.ts';
import { merge, ndjson, nextChunk, register, update, useImports } from '../../harness/import-harness.ts';

const clock = useClock();
const imports = useImports({ importDays: '1' });

it('a merge line changes no persons if a line with the same ID has already been applied', async () => {
  await imports.put('documents/B-1/birth/-/b.pdf', 'birth of B');
  const report = await imports.apply(
    { ...register('A-1'), id: 'case-7' },
    register('B-1'),
    { ...merge('A-1', 'B-1'), id: 'case-7' },
    { ...merge('B-1', 'A-1'), id: 'case-7' },
  );
  expect(report).toMatchObject({ applied: { register: 2, merge: 0 }, repeated: 2, rejected: 0 });
  expect(Object.keys(await imports.people()).toSorted()).toEqual(['A-1', 'B-1']);
  expect(await imports.keys('documents/')).toEqual(['documents/B-1/birth/-/b.pdf']);
});

it('a line counts as a repeat if its ID was applied from another file, even if the person has changed since', async () => {
  const lines = [
    { ...register('A-1'), id: 'r1' },
    { ...register('B-1'), id: 'r2' },
    { ...register('C-1'), id: 'r3' },
    { ...merge('A-1', 'B-1'), id: 'm1' },
    { change: 'remove', uin: 'C-1', id: 'x1' },
  ];
  await imports.apply(...lines);
  const minted = { ...register(), id: 'birth-1' };
  const again = await imports.apply(...lines, register('D-1'), minted, minted);
  expect(again).toMatchObject({ applied: { register: 2, merge: 0, remove: 0 }, repeated: 6, rejected: 0 });
  const uins = Object.keys(await imports.people()).toSorted();
  expect(uins).toEqual([expect.stringMatching(/^\d{12}$/), 'A-1', 'D-1']);
});

it('an import can be resumed until it ends, and its record expires only after that', async () => {
  const text = ndjson(register()) + nextChunk + ndjson(register());
  await imports.put('imports/slow.ndjson', text);
  // The run has time for only one chunk.
  await imports.tellUntil('imports/slow.ndjson', ({ command }) => command === 'TransactWriteItems');
  expect(Object.keys(await imports.people())).toHaveLength(1);
  clock.pass(2 * 86_400_000);
  await imports.goOn();
  expect(await imports.report('imports/slow.ndjson')).toMatchObject({ lines: 2, applied: { register: 2 } });
  expect(Object.keys(await imports.people())).toHaveLength(2);
  expect(await imports.import('imports/copy.ndjson', text)).toMatchObject({ repeats: { file: 'imports/slow.ndjson' } });
  clock.pass(2 * 86_400_000);
  expect(await imports.import('imports/later.ndjson', text)).toMatchObject({ applied: { register: 2 } });
});

it('a person’s row contains the registration time and the name of the import file', async () => {
  const begun = new Date(clock.now()).toISOString();
  await imports.import('imports/people.ndjson', ndjson(register('A-1'), register()));
  clock.pass(60_000);
  await imports.apply(update('A-1', { lastName: 'Byron' }));
  const people = (await imports.rows('persons')).filter(({ id }) => String(id).startsWith('person#'));
  const expected = { registeredBy: 'imports/people.ndjson', registeredAt: begun };
  expect(people).toMatchObject([expected, expected]);
});
