import { expect, it } from 'vitest';
import { handler as linkDocuments } from '../../../functions/documents/link-documents.ts';
import { dayMs } from '../../../shared/domain/day-ms.ts';
import type { IndexingStep } from '../../../shared/domain/documents/indexing-step.ts';
import { sourceFolder } from '../../../shared/domain/documents/source-address.ts';
import { useClock } from '../../harness/clock.ts';
import { merge, register, remove, useDocumentImports } from '../../harness/document-imports.ts';
import { context, sqsEvent } from '../../harness/lambda-events.ts';

const clock = useClock();
const { imports, apply, put, tell } = useDocumentImports({ journalDays: '400' });

/** Has the bucket tell of these, and of what is there by now, until nothing goes anywhere any more. */
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

it('has a document of two follow a merge that did not know it', async () => {
  await put(late);
  await apply(...['O-1', 'D-1', 'K-1'].map(register), merge('K-1', 'D-1'));
  await tellAll(late);
  expect(await imports.keys('documents/')).toEqual([moved]);
  expect(await imports.read(moved)).toBe(late);
  expect(await links()).toEqual(['K-1 O-1/marriage']);
});

it('never removes a document of two whose other person was merged with one who is there, however late it is told of', async () => {
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

it('has a document of two go with the last of them, though nobody knew it then', async () => {
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
  const said = imports.lines.info.filter((line) => line.includes('documents of nobody removed'));
  expect(said).toEqual([expect.stringContaining('"folders":1')]);
});

it('has what is put under a UIN of somebody who was merged, or names one, go to the one who was kept', async () => {
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

it('leaves what is about people whom nobody knows, or of whom one is there', async () => {
  const keys = ['documents/N-1/birth/-/n.pdf', 'documents/N-1/marriage/N-2/n.pdf', 'documents/R-1/marriage/A-1/r.pdf'];
  await apply(register('A-1'), register('R-1'), remove('R-1'));
  await put(...keys);
  await tellAll(...keys);
  expect(await imports.keys('documents/')).toEqual(keys);
});

it('leaves what is about somebody of whom nothing is remembered any more', async () => {
  const key = 'documents/R-1/birth/-/r.pdf';
  await apply(register('R-1'), remove('R-1'));
  clock.pass(400 * dayMs);
  await put(key);
  await tellAll(key);
  expect(await imports.keys('documents/')).toEqual([key]);
});

it('leaves what is about somebody of whom an older release did not say what became of them', async () => {
  const key = 'documents/D-1/birth/-/b.pdf';
  await imports.write('persons', { id: 'gone#D-1', expiresAt: Math.floor((Date.now() + dayMs) / 1000) });
  await put(key);
  await tellAll(key);
  expect(await imports.keys('documents/')).toEqual([key]);
});

it('settles what was there before anybody was told of it when it is taken in', async () => {
  await put(late);
  await apply(...['O-1', 'D-1', 'K-1'].map(register), merge('K-1', 'D-1'));
  const step: IndexingStep = { indexing: 'run', added: 0 };
  await linkDocuments(sqsEvent(step), context);
  expect(await imports.keys('documents/')).toEqual([moved]);
  expect(await links()).toContain('K-1 O-1/marriage');
});

it('moves what is put while a merge is applied, and was told of before it was', async () => {
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

it("lets a duplicate's document not stand in for the kept one's, of which the bucket tells later", async () => {
  const [own, other] = ['documents/X-1/marriage/K-1/x.pdf', 'documents/D-1/marriage/X-1/d.pdf'];
  await put(own, other);
  await tell(other);
  await apply(...['D-1', 'K-1', 'X-1'].map(register), merge('K-1', 'D-1'));
  await tellAll(own);
  expect(await imports.keys('documents/')).toEqual(['documents/K-1/marriage/X-1/merged/D-1~d.pdf', own]);
});

it('removes nothing of somebody who is not registered yet', async () => {
  const key = 'documents/B-1/birth/A-1/x.pdf';
  await apply(register('A-1'), remove('A-1'));
  await put(key);
  await tellAll(key);
  await linkDocuments(sqsEvent({ indexing: 'run', added: 0 }), context);
  expect(await imports.keys('documents/')).toEqual([key]);
});

it('keeps the link of a place that a merge fills while somebody sees it empty', async () => {
  const [old, other] = ['documents/K-1/marriage/S-1/old.pdf', 'documents/D-1/marriage/S-1/x.pdf'];
  await apply(...['K-1', 'D-1', 'S-1', 'T-1'].map(register));
  await put(old, other);
  await tell(old, other);
  await imports.remove(old);
  let isFirst = true;
  imports.interfere({
    async call({ command }, go) {
      // Between the link and the document.
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
