import { expect, it } from 'vitest';
import { handler as findPersons } from '../../../functions/persons/find-persons.ts';
import { sourceFolder } from '../../../shared/domain/documents/rendition.ts';
import { ndjson, useImports } from '../../harness/import-harness.ts';

const imports = useImports({ changesTopic: 'CR' });
const register = (uin: string, attributes: object) => ({ change: 'register', uin, attributes });
const merge = (keep: string, ...duplicates: string[]) => ({ change: 'merge', keep, duplicates });
const remove = (uin: string) => ({ change: 'remove', uin });

const bodiesOf = async (prefix: string) =>
  Object.fromEntries(
    await Promise.all((await imports.keys(prefix)).map(async (key) => [key, await imports.read(key)] as const)),
  );

it('a merge deletes the UINs of the duplicates and moves their documents to the kept person', async () => {
  await imports.put('documents/B-1/birth/-/b.pdf', 'birth of B');
  await imports.put('documents/B-1/marriage/X-1/b.pdf', 'marriage of B');
  await imports.put('documents/C-1/birth/-/c.pdf', 'birth of C');
  await imports.put('documents/A-1/marriage/X-1/a.pdf', 'marriage of A');
  const report = await imports.import(
    'imports/merge.ndjson',
    ndjson(
      register('A-1', { lastName: 'King' }),
      register('B-1', { lastName: 'King' }),
      register('C-1', { lastName: 'King' }),
      merge('A-1', 'B-1', 'C-1'),
      { change: 'update', uin: 'B-1', attributes: { lastName: 'Byron' } },
      merge('A-1', 'B-1'),
      merge('Z-1', 'A-1'),
    ),
  );
  expect(report).toMatchObject({ applied: { register: 3, merge: 1, update: 0 }, rejected: 3 });
  expect(report.rejectedLines.map(({ line, field }) => `${line} ${field}`)).toEqual([
    ...['5 uin', '6 duplicates', '7 keep'],
  ]);
  expect(await imports.people()).toEqual({ 'A-1': { lastName: 'King' } });
  const { json } = await imports.call(findPersons, { query: 'lastName=King' });
  expect(json).toEqual(['A-1']);
  expect(await bodiesOf('documents/')).toEqual({
    'documents/A-1/birth/-/B-1~b.pdf': 'birth of B',
    'documents/A-1/birth/-/merged/C-1~c.pdf': 'birth of C',
    'documents/A-1/marriage/X-1/a.pdf': 'marriage of A',
    'documents/A-1/marriage/X-1/merged/B-1~b.pdf': 'marriage of B',
  });
});

it('a merge never replaces a document of the kept person, even if a duplicate spells the document type differently', async () => {
  await imports.put('documents/A-1/birth_certificate/-/a.pdf', 'birth of A');
  await imports.put('documents/B-1/Birth/-/b.pdf', 'birth of B');
  await imports.import(
    'imports/kinds.ndjson',
    ndjson(register('A-1', { lastName: 'K' }), register('B-1', { lastName: 'K' }), merge('A-1', 'B-1')),
  );
  expect(await bodiesOf('documents/')).toEqual({
    'documents/A-1/birth_certificate/-/a.pdf': 'birth of A',
    'documents/A-1/Birth/-/merged/B-1~b.pdf': 'birth of B',
  });
});

it('a merge deletes every version of a moved document and deletes the current version last', async () => {
  const key = 'documents/B-1/birth/-/b.pdf';
  await imports.put(key, 'birth of B');
  const removed: unknown[] = [];
  imports.interfere({
    // biome-ignore lint/suspicious/noExplicitAny: answers in place of S3, which keeps no versions here
    async call({ command, input }, go): Promise<any> {
      const versions = ['new', 'old'].map((VersionId) => ({ Key: key, VersionId, IsLatest: VersionId === 'new' }));
      if (command === 'ListObjectVersions') return { output: { Versions: versions }, response: {} };
      if (command !== 'DeleteObject' || input.VersionId === undefined) return go();
      removed.push(input.VersionId);
      if (input.VersionId === 'new') await imports.remove(key);
      return { output: {}, response: {} };
    },
  });
  await imports.import(
    'imports/versions.ndjson',
    ndjson(register('A-1', { lastName: 'K' }), register('B-1', { lastName: 'K' }), merge('A-1', 'B-1')),
  );
  imports.interfere({});
  expect(removed).toEqual(['old', 'new']);
});

it('an import rejects a merge that S3 cannot perform and then moves no documents', async () => {
  const [short, long] = ['documents/B-1/birth/-/b.pdf', `documents/B-1/marriage/X-1/${'m'.repeat(995)}`];
  await imports.put(short, 'birth of B');
  await imports.put(long, 'marriage of B');
  const report = await imports.import(
    'imports/long.ndjson',
    ndjson(register('A-1', { lastName: 'K' }), register('B-1', { lastName: 'K' }), merge('A-1', 'B-1')),
  );
  expect(report.rejectedLines).toMatchObject([{ line: 3, field: 'duplicates' }]);
  expect(await imports.keys('documents/')).toEqual([short, long]);
  expect(Object.keys(await imports.people()).toSorted()).toEqual(['A-1', 'B-1']);
});

it('an import removes a person together with all documents and renditions', async () => {
  await imports.put('documents/A-1/birth/-/a.pdf', 'birth of A');
  await imports.put('documents/A-12/birth/-/a.pdf', 'another’s');
  await imports.put(`renditions/${sourceFolder('documents/A-1/birth/-/a.pdf')}/png-1/p0001.png`, 'png');
  await imports.put('renditions/other/png-1/p0001.png', 'png');
  const report = await imports.import(
    'imports/remove.ndjson',
    ndjson(register('A-1', { firstName: 'Ada' }), remove('A-1'), remove('A-1')),
  );
  expect(report).toMatchObject({ applied: { register: 1, remove: 1 }, rejected: 1 });
  expect(await imports.people()).toEqual({});
  expect(await imports.keys('documents/A-1')).toEqual(['documents/A-12/birth/-/a.pdf']);
  expect(await imports.keys('renditions/')).toEqual(['renditions/other/png-1/p0001.png']);
});

interface Publication {
  readonly notification: { readonly messageId: string; readonly subject: string; readonly bodyBase64: string };
}

it('an import publishes exactly one event for each change, with the matching event type', async () => {
  await imports.newTopic('CR');
  const told = (change: object) => ({ ...change, publish: true, source: 'court-1' });
  const report = await imports.import(
    'imports/told.skip-malformed.ndjson',
    ndjson(
      told(register('A-1', { firstName: 'Ada' })),
      told(register('B-1', { firstName: 'Ada' })),
      told({ change: 'register', attributes: { firstName: 'Zoë' } }),
      told({ change: 'update', uin: 'A-1', attributes: { status: 'dead', dateOfDeath: '2026-01-01' } }),
      told({ change: 'update', uin: 'A-1', attributes: { dateOfDeath: '2026-01-02' } }),
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

it('a merge line whose ID was already applied moves no documents', async () => {
  await imports.reset();
  await imports.put('documents/D-1/birth/-/d.pdf', 'birth of D');
  const again = { ...merge('A-1', 'D-1'), id: 'merge 1' };
  const report = await imports.import(
    'imports/merge again.ndjson',
    ndjson(
      ...['A-1', 'B-1', 'D-1'].map((uin) => register(uin, { lastName: 'King' })),
      { ...merge('A-1', 'B-1'), id: 'merge 1' },
      again,
    ),
  );
  expect(report).toMatchObject({ applied: { register: 3, merge: 1 }, repeated: 1, rejected: 0 });
  expect(Object.keys(await imports.people()).toSorted()).toEqual(['A-1', 'D-1']);
  expect(await imports.keys('documents/D-1/')).toEqual(['documents/D-1/birth/-/d.pdf']);
});
