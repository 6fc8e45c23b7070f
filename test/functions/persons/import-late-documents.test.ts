import { expect, it } from 'vitest';
import { handler as linkDocuments } from '../../../functions/documents/link-documents.ts';
import type { IndexingStep } from '../../../shared/domain/documents/indexing-step.ts';
import { sourceFolder } from '../../../shared/domain/documents/rendition.ts';
import { dayMs } from '../../../shared/domain/time.ts';
import { useClock } from '../../harness/clock.ts';
import { merge, register, remove, useDocumentImports } from '../../harness/document-imports.ts';
import { context, sqsEvent } from '../../harness/lambda-events.ts';

const clock = useClock();
const { imports, apply, put, tell } = useDocumentImports({ journalDays: '400' });

/** Sends events about these documents and then about moved documents, until no more documents are moved. */
async function tellAll(...keys: string[]): Promise<void> {
  let [before, now] = [keys, await imports.keys('documents/')];
  do {
    await tell(...keys, ...now);
    [before, now] = [now, await imports.keys('documents/')];
  } while (before.join() !== now.join());
  await tell(...keys, ...now);
}

const links = async () =>
  (await imports.rows('documentLinks')).map(({ secondaryUin, place }) => `${secondaryUin} ${place}`);

const late = 'documents/O-1/marriage/D-1/late.pdf';
const moved = 'documents/O-1/marriage/K-1/D-1~late.pdf';

it('a late document about two persons is moved if a merge did not find the document', async () => {
  await put(late);
  await apply(...['O-1', 'D-1', 'K-1'].map(register), merge('K-1', 'D-1'));
  await tellAll(late);
  expect(await imports.keys('documents/')).toEqual([moved]);
  expect(await imports.read(moved)).toBe(late);
  expect(await links()).toEqual(['K-1 O-1/marriage']);
});

it('a late document about two persons is kept if a registered person has replaced its second person in several merges', async () => {
  await put(late);
  await apply(...['O-1', 'D-1', 'K-1', 'L-1', 'M-1'].map(register), merge('K-1', 'D-1'));
  await apply(merge('L-1', 'K-1'), merge('M-1', 'L-1'));
  await apply(remove('O-1'));
  expect(await imports.keys('documents/')).toEqual([late]);
  await tellAll(late);
  expect(await imports.keys('documents/')).toEqual(['documents/O-1/marriage/M-1/D-1~late.pdf']);
  await apply(remove('M-1'));
  expect(await imports.keys('documents/')).toEqual([]);
});

it('a late document about two deleted persons is deleted', async () => {
  const made = `renditions/${sourceFolder(late)}/png-1/p0001.png`;
  await put(late);
  await apply(...['O-1', 'D-1'].map(register), remove('O-1'));
  await apply(remove('D-1'));
  expect(await imports.keys('documents/')).toEqual([late]);
  await imports.put(made, 'png');
  await tellAll(late);
  expect(await imports.keys('documents/')).toEqual([]);
  expect(await imports.keys('renditions/')).toEqual([]);
  expect(await links()).toEqual([]);
  const said = imports.lines.info.filter((line) => line.includes('documents of deleted persons removed'));
  expect(said).toEqual([expect.stringContaining('"folders":1')]);
});

it('a late document moves to the kept person if its owner or its second person was merged', async () => {
  await apply(...['A-1', 'D-1', 'D-2', 'K-1'].map(register), merge('K-1', 'D-1', 'D-2'));
  const keys = ['documents/D-1/birth/-/b.pdf', 'documents/D-2/adoption/D-1/x.pdf', 'documents/D-1/marriage/A-1/m.pdf'];
  await put(...keys);
  await tellAll(...keys);
  expect(await imports.keys('documents/')).toEqual([
    'documents/K-1/adoption/K-1/D-2~D-1~x.pdf',
    'documents/K-1/birth/-/D-1~b.pdf',
    'documents/K-1/marriage/A-1/D-1~m.pdf',
  ]);
});

it('a late document stays if one of its persons is registered or if none of its persons was ever registered', async () => {
  const keys = ['documents/N-1/birth/-/n.pdf', 'documents/N-1/marriage/N-2/n.pdf', 'documents/R-1/marriage/A-1/r.pdf'];
  await apply(register('A-1'), register('R-1'), remove('R-1'));
  await put(...keys);
  await tellAll(...keys);
  expect(await imports.keys('documents/')).toEqual(keys);
});

it('a late document stays if the tombstone of its person has expired', async () => {
  const key = 'documents/R-1/birth/-/r.pdf';
  await apply(register('R-1'), remove('R-1'));
  clock.pass(400 * dayMs);
  await put(key);
  await tellAll(key);
  expect(await imports.keys('documents/')).toEqual([key]);
});

it('a late document stays if an older release did not record what happened to the person', async () => {
  const key = 'documents/D-1/birth/-/b.pdf';
  await imports.write('persons', { id: 'deleted#D-1', expiresAt: Math.floor((Date.now() + dayMs) / 1000) });
  await put(key);
  await tellAll(key);
  expect(await imports.keys('documents/')).toEqual([key]);
});

it('indexing existing documents also moves and removes late documents', async () => {
  await put(late);
  await apply(...['O-1', 'D-1', 'K-1'].map(register), merge('K-1', 'D-1'));
  const step: IndexingStep = { indexing: 'run', added: 0 };
  await linkDocuments(sqsEvent(step), context);
  expect(await imports.keys('documents/')).toEqual([moved]);
  expect(await links()).toContain('K-1 O-1/marriage');
});

it('a document that is stored during a merge is moved, even if its event arrives before the merge ends', async () => {
  const [early, meanwhile] = ['documents/D-1/birth/-/a.pdf', 'documents/D-1/note/-/late.pdf'];
  await put(early);
  let isFirst = true;
  imports.interfere({
    async call({ command }, go) {
      const answer = await go();
      if (command !== 'CopyObject' || !isFirst) return answer;
      isFirst = false;
      await put(meanwhile, late);
      await tell(meanwhile, late);
      return answer;
    },
  });
  await apply(...['O-1', 'D-1', 'K-1'].map(register), merge('K-1', 'D-1'));
  imports.interfere({});
  expect(isFirst).toBe(false);
  expect(await imports.keys('documents/')).toEqual([
    'documents/K-1/birth/-/D-1~a.pdf',
    'documents/K-1/note/-/D-1~late.pdf',
    moved,
  ]);
});

it('a late document of a duplicate never replaces a document of the kept person', async () => {
  const [own, other] = ['documents/X-1/marriage/K-1/x.pdf', 'documents/D-1/marriage/X-1/d.pdf'];
  await put(own, other);
  await tell(other);
  await apply(...['D-1', 'K-1', 'X-1'].map(register), merge('K-1', 'D-1'));
  await tellAll(own);
  expect(await imports.keys('documents/')).toEqual(['documents/K-1/marriage/X-1/merged/D-1~d.pdf', own]);
});

it('a document stays if its owner is not registered yet', async () => {
  const key = 'documents/B-1/birth/A-1/x.pdf';
  await apply(register('A-1'), remove('A-1'));
  await put(key);
  await tellAll(key);
  await linkDocuments(sqsEvent({ indexing: 'run', added: 0 }), context);
  expect(await imports.keys('documents/')).toEqual([key]);
});

it('a link is kept if a merge moves a document to a folder while a check finds the folder empty', async () => {
  const [old, other] = ['documents/K-1/marriage/S-1/old.pdf', 'documents/D-1/marriage/S-1/x.pdf'];
  await apply(...['K-1', 'D-1', 'S-1', 'T-1'].map(register));
  await put(old, other);
  await tell(old, other);
  await imports.remove(old);
  let isFirst = true;
  imports.interfere({
    async call({ command }, go) {
      // The event arrives after the merge has written the link and before it copies the document.
      if (command === 'CopyObject' && isFirst) {
        isFirst = false;
        await tell(old);
      }
      return go();
    },
  });
  await apply(merge('K-1', 'D-1'), merge('T-1', 'S-1'));
  imports.interfere({});
  expect(isFirst).toBe(false);
  expect(await imports.keys('documents/')).toEqual(['documents/K-1/marriage/T-1/S-1~D-1~x.pdf']);
});
