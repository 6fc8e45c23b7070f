import { expect, it } from 'vitest';
import { handler as findPersons } from '../../../functions/persons/find-persons.ts';
import { merge, ndjson, register, remove, update, useImports } from '../../harness/import-harness.ts';

const imports = useImports({ changesTopic: 'CR' });

it('a merge deletes the duplicates but leaves their documents in place', async () => {
  const documents = ['A-1/marriage/X-1/a', 'B-1/birth/-/b', 'B-1/marriage/X-1/b', 'C-1/birth/-/c'].map(
    (place) => `documents/${place}.pdf`,
  );
  for (const key of documents) await imports.put(key, 'deed');
  const report = await imports.apply(
    ...['A-1', 'B-1', 'C-1'].map((uin) => register(uin, { lastName: 'King' })),
    merge('A-1', 'B-1', 'C-1'),
    update('B-1', { lastName: 'Byron' }),
    merge('A-1', 'B-1'),
    merge('Z-1', 'A-1'),
  );
  expect(report).toMatchObject({ applied: { register: 3, merge: 1, update: 0 }, rejected: 3 });
  expect(report.rejectedLines.map(({ line, field }) => `${line} ${field}`)).toEqual([
    ...['5 uin', '6 duplicates', '7 keep'],
  ]);
  expect(await imports.people()).toEqual({ 'A-1': { lastName: 'King' } });
  const { json } = await imports.call(findPersons, { query: 'lastName=King' });
  expect(json).toEqual(['A-1']);
  expect(await imports.keys('documents/')).toEqual(documents);
});

interface Publication {
  readonly notification: { readonly messageId: string; readonly subject: string; readonly bodyBase64: string };
}

it('an import publishes exactly one event, of the matching type, for each change that requests an event', async () => {
  await imports.newTopic('CR');
  const told = (change: object) => ({ ...change, publish: true, source: 'court-1' });
  const report = await imports.import(
    'imports/told.skip-malformed.ndjson',
    ndjson(
      told(register('A-1', { firstName: 'Ada' })),
      told(register('B-1', { firstName: 'Ada' })),
      told(register(undefined, { firstName: 'Zoë' })),
      told(update('A-1', { status: 'dead', dateOfDeath: '2026-01-01' })),
      told(update('A-1', { dateOfDeath: '2026-01-02' })),
      told(merge('A-1', 'B-1')),
      told(remove('A-1')),
      remove('A-1'),
    ),
  );
  expect(report.rejectedLines.map(({ line, field }) => `${line} ${field}`)).toEqual(['7 publish']);
  const events = imports.payloadsIn<Publication>('fanOut').map(({ notification: { subject, bodyBase64 } }) => ({
    ...{ subject, ...JSON.parse(Buffer.from(bodyBase64, 'base64').toString()) },
  }));
  const source = 'court-1';
  expect(events).toHaveLength(6);
  expect(events).toEqual(
    expect.arrayContaining([
      { subject: 'newPerson', source, uin: 'A-1' },
      { subject: 'newPerson', source, uin: 'B-1' },
      { subject: 'newPerson', source, uin: expect.stringMatching(/^\d{12}$/) },
      { subject: 'death', source, uin: 'A-1' },
      { subject: 'updatePerson', source, uin: 'A-1' },
      { subject: 'duplicatePerson', source, uin: 'A-1', duplicates: ['B-1'] },
    ]),
  );
  expect(await imports.rows('deliveries')).toHaveLength(6);
});

it('a merge is rejected if the kept person would have more than 100 former UINs, including those from earlier merges', async () => {
  const uins = Array.from({ length: 140 }, (_, number) => `U-${number}`);
  const some = (from: number, to: number) => uins.slice(from, to);
  const report = await imports.apply(
    ...['A-1', 'B-1', ...uins].map((uin) => register(uin, { lastName: 'King' })),
    ...[0, 20, 40].map((from) => merge('A-1', ...some(from, from + 20))),
    ...[60, 80].map((from) => merge('B-1', ...some(from, from + 20))),
    // A-1 has 60 former UINs and B-1 has 40. The next merge would give A-1 101 former UINs, including B-1.
    merge('A-1', 'B-1'),
    ...[100, 120].map((from) => merge('A-1', ...some(from, from + 20))),
  );
  expect(report.rejectedLines).toEqual([
    { line: 148, field: 'duplicates', reason: expect.stringContaining('more than 100 former UINs') },
  ]);
  expect(Object.keys(await imports.people()).toSorted()).toEqual(['A-1', 'B-1']);
  const kept = (await imports.rows('persons')).find(({ id }) => id === 'person#A-1');
  expect(kept?.formerUins).toEqual([...some(0, 60), ...some(100, 140)]);
});
