import { expect, it } from 'vitest';
import { sourceFolder } from '../../../shared/domain/documents/rendition.ts';
import { dayMs } from '../../../shared/domain/time.ts';
import { useClock } from '../../harness/clock.ts';
import { merge, register, remove, useDocumentImports } from '../../harness/document-imports.ts';
import { ndjson } from '../../harness/import-harness.ts';

const clock = useClock();
// A deployment may allow UINs that contain ~, although ~ also separates UINs from file names.
const { imports, put, tell } = useDocumentImports({ uinFormat: '[A-Z][-~\\w]*' });

/** Stores documents and sends their S3 events. The content of each document is its key. */
async function file(...keys: string[]): Promise<void> {
  await put(...keys);
  await tell(...keys);
}

/** Sends an S3 event for each stored document. */
const tellOfAll = async () => tell(...(await imports.keys('documents/')));

/** Returns the current key of each document by its original key. */
const places = async (): Promise<Readonly<Record<string, string>>> => {
  const keys = await imports.keys('documents/');
  const was = await Promise.all(keys.map((key) => imports.read(key)));
  return Object.fromEntries(was.map((one, index) => [one, String(keys[index])]));
};

const [ofR, ofW] = ['documents/R-1/marriage/W-1/r.pdf', 'documents/W-1/divorce/R-1/w.pdf'];

it('a document about two persons and its renditions are kept while either person is registered', async () => {
  await file(ofR, ofW, 'documents/R-1/birth/-/r.pdf');
  const made = [ofR, ofW].map((key) => `renditions/${sourceFolder(key)}/png-1/p0001.png`);
  for (const key of made) await imports.put(key, 'png');
  const report = await imports.import('imports/one.ndjson', ndjson(register('R-1'), register('W-1'), remove('R-1')));
  expect(report).toMatchObject({ applied: { remove: 1 }, rejected: 0 });
  expect(await imports.keys('documents/')).toEqual([ofR, ofW]);
  expect(await imports.keys('renditions/')).toEqual(made.toSorted());
  await imports.import('imports/other.ndjson', ndjson(remove('W-1')));
  expect(await imports.keys('documents/')).toEqual([]);
  expect(await imports.keys('renditions/')).toEqual([]);
});

it('a document about two persons is removed when both persons are removed, even if one import file removes both', async () => {
  await file(ofR, ofW);
  await imports.import('imports/both.ndjson', ndjson(register('R-1'), register('W-1'), remove('R-1'), remove('W-1')));
  expect(await imports.people()).toEqual({});
  expect(await imports.keys('documents/')).toEqual([]);
});

it('a document is removed with its person if its key names no other person, or only a person who never existed', async () => {
  await file('documents/R-1/birth/-/r.pdf', 'documents/R-1/note/R-1/r.pdf', 'documents/R-1/marriage/N-1/r.pdf');
  await imports.import('imports/alone.ndjson', ndjson(register('R-1'), remove('R-1')));
  expect(await imports.keys('documents/')).toEqual([]);
});

it('a document about two persons is removed when the second person is removed, even years later', async () => {
  await file(ofR, ofW);
  await imports.import('imports/one.ndjson', ndjson(register('R-1'), register('W-1'), remove('R-1')));
  clock.pass(30 * 365 * dayMs);
  const again = await imports.import('imports/again.ndjson', ndjson(register('R-1')));
  expect(again).toMatchObject({ rejected: 1, rejectedLines: [{ field: 'uin' }] });
  expect(await imports.keys('documents/')).toEqual([ofR, ofW]);
  await imports.import('imports/other.ndjson', ndjson(remove('W-1')));
  expect(await imports.keys('documents/')).toEqual([]);
});

it('a document stored under an unknown UIN is kept and logged, because the person may be registered later', async () => {
  const key = 'documents/N-1/birth/R-1/n.pdf';
  await file(key);
  await imports.import('imports/removed.ndjson', ndjson(register('R-1'), remove('R-1')));
  expect(await imports.keys('documents/')).toEqual([key]);
  const said = imports.lines.warn.filter((line) => line.includes('documents left'));
  expect(said).toEqual([expect.stringMatching(/"line":2,.*"count":1/)]);
  clock.pass(30 * 365 * dayMs);
  await imports.import('imports/born.ndjson', ndjson(register('N-1'), remove('N-1')));
  expect(await imports.keys('documents/')).toEqual([]);
});

it('a document is kept even if an earlier line that registers one of its persons is slow to complete', async () => {
  const key = 'documents/N-1/marriage/R-1/n.pdf';
  await file(key);
  await imports.import('imports/known.ndjson', ndjson(register('R-1')));
  let isFirst = true;
  imports.interfere({
    async wire({ command, input }, go) {
      if (command !== 'PutItem' || !isFirst || !JSON.stringify(input).includes('person#N-1')) return go();
      isFirst = false;
      const throttled = { name: 'ProvisionedThroughputExceededException', $retryable: { throttling: true } };
      throw Object.assign(new Error('slow down'), { ...throttled, $metadata: { httpStatusCode: 400 } });
    },
  });
  await imports.import('imports/race.ndjson', ndjson(register('N-1'), remove('R-1')));
  imports.interfere({});
  expect(isFirst).toBe(false);
  expect(Object.keys(await imports.people())).toEqual(['N-1']);
  expect(await imports.keys('documents/')).toEqual([key]);
});

it('a document that a merge moved to a subfolder is moved again by a later merge, and is removed with its last person', async () => {
  const [kept, aside] = ['documents/X-1/marriage/A-1/x.pdf', 'documents/B-1/marriage/X-1/b.pdf'];
  await file(kept, aside);
  const people = ['A-1', 'B-1', 'X-1', 'Y-1'].map(register);
  await imports.import('imports/aside.ndjson', ndjson(...people, merge('A-1', 'B-1')));
  expect(await places()).toEqual({ [kept]: kept, [aside]: 'documents/A-1/marriage/X-1/merged/B-1~b.pdf' });
  await tellOfAll();
  await imports.import('imports/second.ndjson', ndjson(merge('Y-1', 'X-1')));
  const moved = await places();
  expect(moved).toEqual({
    [kept]: 'documents/Y-1/marriage/A-1/X-1~x.pdf',
    [aside]: 'documents/A-1/marriage/Y-1/X-1~merged/B-1~b.pdf',
  });
  await tellOfAll();
  await imports.import('imports/one.ndjson', ndjson(remove('A-1')));
  expect(await places()).toEqual(moved);
  await imports.import('imports/last.ndjson', ndjson(remove('Y-1')));
  expect(await places()).toEqual({});
});

it('an import moves and removes documents that an earlier line has just moved, even before S3 sends the events for the moves', async () => {
  const [moved, removed] = ['documents/B-1/marriage/D-1/b.pdf', 'documents/F-1/marriage/G-1/f.pdf'];
  await file(moved, removed);
  const people = ['A-1', 'B-1', 'C-1', 'D-1', 'E-1', 'F-1', 'G-1'].map(register);
  const changes = [merge('A-1', 'B-1'), merge('C-1', 'D-1'), merge('E-1', 'F-1'), remove('E-1'), remove('G-1')];
  const report = await imports.import('imports/chain.ndjson', ndjson(...people, ...changes));
  expect(report).toMatchObject({ applied: { merge: 3, remove: 2 }, rejected: 0 });
  expect(await places()).toEqual({ [moved]: 'documents/A-1/marriage/C-1/D-1~B-1~b.pdf' });
});

it('a merge finds a duplicate’s documents that are stored under other persons', async () => {
  const under = {
    other: 'documents/X-1/marriage/B-1/x.pdf',
    duplicate: 'documents/B-1/divorce/X-1/b.pdf',
    kept: 'documents/A-1/affidavit/B-1/a.pdf',
    both: 'documents/B-1/adoption/C-1/b.pdf',
  };
  await file(...Object.values(under), 'documents/X-1/birth/-/x.pdf', 'documents/X-1/marriage/Y-1/x.pdf');
  const report = await imports.import(
    'imports/others.ndjson',
    ndjson(register('A-1'), register('B-1'), register('C-1'), merge('A-1', 'B-1', 'C-1')),
  );
  expect(report).toMatchObject({ applied: { merge: 1 }, rejected: 0 });
  expect(await places()).toEqual({
    [under.other]: 'documents/X-1/marriage/A-1/B-1~x.pdf',
    [under.duplicate]: 'documents/A-1/divorce/X-1/B-1~b.pdf',
    [under.kept]: 'documents/A-1/affidavit/A-1/A-1~B-1~a.pdf',
    [under.both]: 'documents/A-1/adoption/A-1/B-1~C-1~b.pdf',
    'documents/X-1/birth/-/x.pdf': 'documents/X-1/birth/-/x.pdf',
    'documents/X-1/marriage/Y-1/x.pdf': 'documents/X-1/marriage/Y-1/x.pdf',
  });
});

it('a merge never replaces a document about the kept person and another person, in either order of the UINs', async () => {
  const [one, other] = ['documents/X-1/marriage/B-1/x.pdf', 'documents/B-1/divorce/Y-1/b.pdf'];
  await file(one, 'documents/X-1/Marriage_Certificate/A-1/a.pdf', other, 'documents/Y-1/divorce/A-1/y.pdf');
  await imports.import('imports/sides.ndjson', ndjson(register('A-1'), register('B-1'), merge('A-1', 'B-1')));
  expect(await places()).toMatchObject({
    [one]: 'documents/X-1/marriage/A-1/merged/B-1~x.pdf',
    [other]: 'documents/A-1/divorce/Y-1/merged/B-1~b.pdf',
  });
});

it('a merge keeps all documents of the merged persons, even those with identical names', async () => {
  const keys = ['A-1/note/B-1', 'A-1/note/C-1', 'B-1/note/A-1', 'B-1/note/B-1', 'B-1/note/C-1', 'C-1/note/B-1'].map(
    (place) => `documents/${place}/a.pdf`,
  );
  // The UIN B-1~x begins with another UIN, B-1.
  keys.push('documents/B-1/birth/-/x~b.pdf', 'documents/B-1~x/birth/-/b.pdf');
  await file(...keys);
  const people = ['A-1', 'B-1', 'C-1', 'B-1~x'].map(register);
  const report = await imports.import('imports/same.ndjson', ndjson(...people, merge('A-1', 'B-1', 'C-1', 'B-1~x')));
  expect(report).toMatchObject({ applied: { merge: 1 }, rejected: 0 });
  expect(Object.keys(await places()).toSorted()).toEqual(keys.toSorted());
});

it('a merge also moves a duplicate’s objects whose keys are not valid document keys', async () => {
  const keys = ['documents/B-1/stray.pdf', 'documents/B-1/birth/stray.pdf', 'documents/B-1/birth/-/below/b.pdf'];
  keys.push('documents/B-1/birth//stray.pdf');
  await file(...keys);
  await imports.import('imports/stray.ndjson', ndjson(register('A-1'), register('B-1'), merge('A-1', 'B-1')));
  expect(Object.values(await places()).toSorted()).toEqual([
    'documents/A-1/B-1~stray.pdf',
    'documents/A-1/birth/-/B-1~below/b.pdf',
    'documents/A-1/birth//B-1~stray.pdf',
    'documents/A-1/birth/B-1~stray.pdf',
  ]);
});

it('objects that clients cannot read never prevent a duplicate’s document from being moved', async () => {
  const keys = ['documents/B-1/birth/-/b.pdf', 'documents/B-1/divorce/-/b.pdf', 'documents/B-1/note/-/b.pdf'];
  await file(...keys, 'documents/A-1/divorce/-/merged/C-1~c.pdf');
  // Consoles store each folder as an empty object.
  for (const folder of ['documents/A-1/birth/-/', 'documents/B-1/note/-/']) await imports.put(folder, '');
  await imports.import('imports/way.ndjson', ndjson(register('A-1'), register('B-1'), merge('A-1', 'B-1')));
  expect(await places()).toMatchObject({
    'documents/B-1/birth/-/b.pdf': 'documents/A-1/birth/-/B-1~b.pdf',
    'documents/B-1/divorce/-/b.pdf': 'documents/A-1/divorce/-/B-1~b.pdf',
    'documents/B-1/note/-/b.pdf': 'documents/A-1/note/-/B-1~b.pdf',
  });
});
