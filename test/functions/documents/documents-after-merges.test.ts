import { beforeEach, describe, expect, test } from 'vitest';
import { handler as readJournal } from '../../../functions/persons/read-journal.ts';
import { merge, register, remove, useDocumentImports, useDocumentReads } from '../../harness/document-imports.ts';

const { imports, apply, file } = useDocumentImports();
const read = useDocumentReads();
const people = ['D-1', 'E-1', 'K-1', 'L-1', 'S-1', 'T-1', 'X-1'].map(register);
beforeEach(() => apply(...people));

const found = (key: string) => ({ status: 200, body: `%PDF-1.4 ${key}` });

/** Returns the current and former UINs in the journal rows of document reads. */
const journaled = async () =>
  (await imports.rows('journal'))
    .filter(({ operation }) => operation === 'readDocument')
    .map(({ uin, formerUin }) => (formerUin === undefined ? uin : `${uin} stored under ${formerUin}`))
    .toSorted();

const [birth, marriage] = ['documents/D-1/birth/-/b.pdf', 'documents/D-1/marriage/S-1/m.pdf'];

describe.each(['before', 'between', 'after'])('a document that arrives %s the merges', (when) => {
  const chain = [merge('E-1', 'D-1'), merge('K-1', 'E-1'), merge('L-1', 'K-1'), merge('T-1', 'S-1')];
  const arrive = () => file(birth, marriage, 'documents/S-1/divorce/E-1/d.pdf');
  beforeEach(async () => {
    if (when === 'before') await arrive();
    for (const [at, one] of chain.entries()) {
      if (when === 'between' && at === 2) await arrive();
      await apply(one);
    }
    if (when === 'after') await arrive();
  });

  test('the document can be read with the current UIN of either person, with or without secondaryUin', async () => {
    expect(await read('L-1', 'birth')).toEqual(found(birth));
    for (const [uin, others] of [
      ['L-1', ['T-1', 'S-1']],
      ['T-1', ['L-1', 'K-1', 'E-1', 'D-1']],
    ] as const) {
      for (const second of [undefined, ...others]) {
        expect(await read(uin, 'marriage', second), `${uin} ${second}`).toEqual(found(marriage));
        expect(await read(uin, 'divorce', second)).toEqual(found('documents/S-1/divorce/E-1/d.pdf'));
      }
      expect((await read(uin, 'marriage', 'X-1')).status).toBe(404);
    }
  });

  test('the document cannot be read with a former UIN in the path', async () => {
    for (const uin of ['D-1', 'E-1', 'K-1']) expect((await read(uin, 'birth')).status).toBe(404);
  });
});

test('a document about two persons who were merged into one can be read with the remaining UIN', async () => {
  const key = 'documents/D-1/adoption/E-1/a.pdf';
  await file(key);
  await apply(merge('K-1', 'D-1', 'E-1'));
  expect(await read('K-1', 'adoption')).toEqual(found(key));
  expect(await journaled()).toEqual(['K-1 stored under D-1']);
});

test('a document about two persons can be read after one of them has been removed', async () => {
  await file(marriage);
  await apply(merge('K-1', 'D-1'), remove('K-1'));
  expect(await read('S-1', 'marriage')).toEqual(found(marriage));
});

describe('the journal', () => {
  test('the journal has one row for each person, with the former UIN if the document is stored under it', async () => {
    await file(birth, marriage);
    await apply(merge('K-1', 'D-1'), merge('L-1', 'K-1'));
    await read('L-1', 'birth');
    expect(await journaled()).toEqual(['L-1 stored under D-1']);
    await read('S-1', 'marriage');
    expect(await journaled()).toEqual(['L-1 stored under D-1', 'L-1 stored under D-1', 'S-1']);
  });

  test('the journal has a row for each person in the request even if no document is found', async () => {
    await apply(merge('K-1', 'D-1'));
    await read('S-1', 'marriage', 'D-1');
    expect(await journaled()).toEqual(['K-1', 'S-1']);
    await read('D-1', 'birth');
    expect(await journaled()).toEqual(['D-1', 'K-1', 'S-1']);
  });

  test.each(['L-1', 'K-1', 'D-1'])('a journal query for %s covers all UINs of the person', async (uin) => {
    await file(birth);
    await read('D-1', 'birth');
    await apply(merge('K-1', 'D-1'));
    await read('K-1', 'birth');
    await apply(merge('L-1', 'K-1'));
    await read('L-1', 'birth');
    const { rows } = (await readJournal({ uin })) as { rows: { uin: string; formerUin?: string }[] };
    expect(rows.filter((row) => 'doctype' in row).map((row) => [row.uin, row.formerUin])).toEqual([
      ['D-1', undefined],
      ['K-1', 'D-1'],
      ['L-1', 'D-1'],
    ]);
    const own = (await imports.rows('journal')).filter(({ operation }) => operation === 'readJournal');
    expect(own.map((row) => row.uin)).toEqual(['L-1']);
  });
});
