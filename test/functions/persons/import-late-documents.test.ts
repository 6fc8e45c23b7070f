import { expect, it } from 'vitest';
import { handler as linkDocuments } from '../../../functions/documents/link-documents.ts';
import { sourceFolder } from '../../../shared/domain/documents/rendition.ts';
import { dayMs } from '../../../shared/domain/time.ts';
import { useClock } from '../../harness/clock.ts';
import { merge, register, remove, useDocumentImports } from '../../harness/document-imports.ts';
import { context, sqsEvent } from '../../harness/lambda-events.ts';

const clock = useClock();
const { imports, apply, put, tell } = useDocumentImports();

const links = async () =>
  (await imports.rows('documentLinks')).map(({ secondaryUin, place }) => `${secondaryUin} ${place}`);
const stored = () => imports.keys('documents/');
const index = () => linkDocuments(sqsEvent({ indexing: 'run', added: 0 }), context);

const ofTwo = 'documents/O-1/marriage/D-1/late.pdf';

it('removing a person deletes the documents and renditions stored under all their UINs, but no other documents', async () => {
  const keys = ['L-1/birth/-/l', 'K-1/birth/-/k', 'D-1/birth/-/d', 'D-1/adoption/K-1/d'].map((at) => `documents/${at}`);
  const others = ['documents/L-12/birth/-/l', 'renditions/other/png-1/p0001.png'];
  await put(...keys, ...others);
  await imports.put(`renditions/${sourceFolder(String(keys[2]))}/png-1/p0001.png`, 'png');
  await apply(...['D-1', 'K-1', 'L-1'].map(register), merge('K-1', 'D-1'), merge('L-1', 'K-1'));
  expect(await stored()).toHaveLength(keys.length + 1);
  expect(await apply(remove('L-1'), remove('L-1'))).toMatchObject({ applied: { remove: 1 }, rejected: 1 });
  expect([...(await stored()), ...(await imports.keys('renditions/'))]).toEqual(others);
});

it('documents that arrive under any UIN of a removed person are deleted, even years after the removal', async () => {
  const keys = ['L-1/birth/-/l', 'K-1/birth/-/k', 'D-1/birth/-/d', 'D-1/adoption/L-1/d'].map((at) => `documents/${at}`);
  const rendition = `renditions/${sourceFolder(String(keys[2]))}/png-1/p0001.png`;
  await apply(...['D-1', 'K-1', 'L-1'].map(register), merge('K-1', 'D-1'), merge('L-1', 'K-1'), remove('L-1'));
  for (const days of [0, 40 * 365]) {
    clock.pass(days * dayMs);
    if (days > 0) for (const uin of ['L-1', 'K-1', 'D-1']) await imports.removeRow('persons', { id: `former#${uin}` });
    await put(...keys);
    await imports.put(rendition, 'png');
    await tell(...keys);
    expect(await stored()).toEqual([]);
    expect(await imports.keys('renditions/')).toEqual([]);
    await tell(...keys);
    expect(await links()).toEqual([]);
  }
  expect(imports.lines.info.join()).toContain('"folders":4');
});

it('the rows that map former UINs to a removed person expire', async () => {
  await apply(...['D-1', 'K-1', 'L-1'].map(register), merge('K-1', 'D-1'), merge('L-1', 'K-1'));
  const expiries = async () =>
    (await imports.rows('persons')).filter(({ id }) => String(id).startsWith('former#')).map((row) => row.expiresAt);
  expect(await expiries()).toEqual([undefined, undefined]);
  await apply(remove('L-1'));
  expect(await expiries()).toEqual(Array(3).fill(Math.floor((clock.now() + 90 * dayMs) / 1000)));
});

it('a document that arrives after a merge is not moved, whichever of its persons was merged', async () => {
  const keys = ['documents/D-1/birth/-/b.pdf', 'documents/D-1/marriage/O-1/m.pdf', ofTwo];
  await apply(...['O-1', 'D-1', 'K-1', 'L-1'].map(register), merge('K-1', 'D-1'), merge('L-1', 'K-1'));
  await put(...keys);
  await tell(...keys);
  await index();
  expect(await stored()).toEqual(keys);
  expect((await links()).toSorted()).toEqual(['D-1 O-1/marriage', 'O-1 D-1/marriage']);
});

it('a late document is kept if its first person is unknown or its second person is registered', async () => {
  const keys = ['documents/N-1/birth/-/n.pdf', 'documents/N-1/marriage/R-1/n.pdf', 'documents/R-1/marriage/A-1/r.pdf'];
  await apply(register('A-1'), register('R-1'), remove('R-1'));
  await put(...keys);
  await tell(...keys);
  await index();
  expect(await stored()).toEqual(keys);
});

it('indexing existing documents also deletes the documents of removed persons', async () => {
  await apply(register('R-1'), remove('R-1'));
  await put('documents/R-1/birth/-/r.pdf');
  await index();
  expect(await stored()).toEqual([]);
});

it('a document is deleted if its event arrives while its person is being removed', async () => {
  const [early, late] = ['documents/R-1/birth/-/early.pdf', 'documents/D-1/note/-/late.pdf'];
  await put(early);
  let isFirst = true;
  imports.interfere({
    async call({ command }, go) {
      const answer = await go();
      if (command !== 'DeleteObject' || !isFirst) return answer;
      isFirst = false;
      await put(late);
      await tell(late);
      return answer;
    },
  });
  await apply(register('D-1'), register('R-1'), merge('R-1', 'D-1'), remove('R-1'));
  imports.interfere({});
  expect(isFirst).toBe(false);
  expect(await stored()).toEqual([]);
});
