import { expect, it } from 'vitest';
import { handler as linkDocuments } from '../../../functions/documents/link-documents.ts';
import { dayMs } from '../../../shared/domain/day-ms.ts';
import { sourceFolder } from '../../../shared/domain/documents/source-address.ts';
import type { IndexingStep } from '../../../shared/model/documents/indexing-step.ts';
import { useClock } from '../../harness/clock.ts';
import { ndjson, useImports } from '../../harness/import-harness.ts';
import { aBucketEvent } from '../../support/bucket-event.ts';
import { context, sqsEvent } from '../../support/lambda-events.ts';

const clock = useClock();
const imports = useImports({ journalDays: '400' });
const register = (uin: string) => ({ change: 'register', uin, attributes: { lastName: 'King' } });
const merge = (keep: string, ...duplicates: string[]) => ({ change: 'merge', keep, duplicates });
const remove = (uin: string) => ({ change: 'remove', uin });

let files = 0;
/** Has changes applied, a file of their own. */
const apply = (...changes: readonly object[]) => imports.import(`imports/${++files}.ndjson`, ndjson(...changes));

/** Puts documents whose bodies are their names, of which the bucket tells later. */
async function put(...keys: string[]): Promise<void> {
  for (const key of keys) await imports.put(key, key);
}

const tell = (...keys: string[]) => linkDocuments(sqsEvent(aBucketEvent(...keys)), context);

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

it('says that a document cannot follow, and goes on when it can', async () => {
  const [long, short] = [`documents/O-1/marriage/D-1/${'m'.repeat(995)}`, 'documents/D-1/birth/-/b.pdf'];
  await apply(...['O-1', 'D-1', 'K-1'].map(register), merge('K-1', 'D-1'));
  await put(long, short);
  const itself = `documents/O-1/marriage/D-1/${'s'.repeat(9)}`;
  await put(itself);
  expect((await tell(long)).batchItemFailures).toHaveLength(1);
  expect(await imports.keys('documents/')).toEqual([short, long, `documents/O-1/marriage/K-1/D-1~${'s'.repeat(9)}`]);
  expect(imports.lines.error.join()).toContain('documentUnmovable');
  expect(JSON.stringify(imports.lines)).not.toContain('D-1');
  imports.lines.error.length = 0;
  expect((await tell(short)).batchItemFailures).toEqual([]);
  expect(await imports.keys('documents/')).toContain('documents/K-1/birth/-/D-1~b.pdf');
});

it("lets a duplicate's document not stand in for the kept one's, of which the bucket tells later", async () => {
  const [own, other] = ['documents/X-1/marriage/K-1/x.pdf', 'documents/D-1/marriage/X-1/d.pdf'];
  await put(own, other);
  await tell(other);
  await apply(...['D-1', 'K-1', 'X-1'].map(register), merge('K-1', 'D-1'));
  await tellAll(own);
  expect(await imports.keys('documents/')).toEqual(['documents/K-1/marriage/X-1/merged/D-1~d.pdf', own]);
});

/** Has S3 not copy what has this in its name, and not say more than that. */
const refuseCopies = (of: string, name: string) =>
  imports.interfere({
    call: ({ command, input }, go) =>
      command === 'CopyObject' && String(input.CopySource).includes(of)
        ? Promise.reject(Object.assign(new Error('no'), { name, $metadata: { httpStatusCode: 403 } }))
        : go(),
  });

const [refused, beside, elsewhere] = [
  'documents/D-1/birth/-/a.pdf',
  'documents/D-1/birth/-/b.pdf',
  'documents/D-1/note/-/n.pdf',
];
const others = ['documents/K-1/birth/-/D-1~b.pdf', 'documents/K-1/note/-/D-1~n.pdf'];

it.each(['InvalidObjectState', 'ObjectNotInActiveTierError', 'AccessDenied'])(
  'moves all others where one cannot be copied: %s',
  async (name) => {
    await apply(...['D-1', 'K-1'].map(register), merge('K-1', 'D-1'));
    await put(refused, beside, elsewhere);
    refuseCopies('a.pdf', name);
    const { batchItemFailures } = await linkDocuments(
      sqsEvent(aBucketEvent(refused), aBucketEvent(elsewhere)),
      context,
    );
    expect(batchItemFailures).toHaveLength(1);
    expect(await imports.keys('documents/')).toEqual([refused, ...others]);
    imports.lines.error.length = 0;
    await put(beside);
    expect(await linkDocuments(sqsEvent({ indexing: 'run', added: 0 }), context)).toEqual({ batchItemFailures: [] });
    expect(imports.payloadsIn('documentEvents')).toHaveLength(1);
    imports.interfere({});
  },
);

it('merges persons all the same where one document turns out to be archived, and says so', async () => {
  await put(refused, beside, elsewhere);
  refuseCopies('a.pdf', 'InvalidObjectState');
  const report = await apply(...['D-1', 'K-1'].map(register), merge('K-1', 'D-1'));
  imports.interfere({});
  expect(report).toMatchObject({ applied: { merge: 1 }, refused: 0 });
  expect(await imports.keys('documents/')).toEqual([refused, ...others]);
  expect(imports.lines.error).toEqual([expect.stringContaining('documentUnmovable')]);
  imports.lines.error.length = 0;
});

it('leaves no document with one who is another still, where an import ends within a merge', async () => {
  await put(refused, beside);
  await apply(...['D-1', 'K-1'].map(register));
  refuseCopies('b.pdf', 'AccessDenied');
  const name = 'imports/ended.ndjson';
  await imports.put(name, ndjson(merge('K-1', 'D-1')));
  await imports.tell(name);
  expect(Object.keys(await imports.people())).toEqual(['K-1']);
  expect(imports.lines.error.join()).toContain('AccessDenied');
  imports.lines.error.length = 0;
  imports.interfere({});
  await imports.remove(name);
  await linkDocuments(sqsEvent({ indexing: 'run', added: 0 }), context);
  expect(await imports.keys('documents/')).toEqual([
    'documents/K-1/birth/-/D-1~a.pdf',
    'documents/K-1/birth/-/D-1~b.pdf',
  ]);
});

it('takes in all the others where one cannot follow, and has that one told of', async () => {
  const [long, short] = [`documents/D-1/marriage/O-1/${'m'.repeat(995)}`, 'documents/O-1/marriage/S-1/x.pdf'];
  await apply(...['O-1', 'D-1', 'K-1', 'S-1'].map(register), merge('K-1', 'D-1', 'S-1'));
  await put(long, short);
  expect(await linkDocuments(sqsEvent({ indexing: 'run', added: 0 }), context)).toEqual({ batchItemFailures: [] });
  expect(await imports.keys('documents/')).toEqual([long, 'documents/O-1/marriage/K-1/S-1~x.pdf']);
  const [told] = imports.payloadsIn('documentEvents');
  expect((await linkDocuments(sqsEvent(told), context)).batchItemFailures).toHaveLength(1);
  expect(imports.lines.error.join()).toContain('documentUnmovable');
  imports.lines.error.length = 0;
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

it.each(['NoSuchKey', 'AccessDenied'])(
  'goes on where somebody else has moved a document meanwhile: %s',
  async (name) => {
    const [key, other] = ['documents/D-1/birth/-/b.pdf', 'documents/D-1/note/-/n.pdf'];
    await apply(...['D-1', 'K-1'].map(register), merge('K-1', 'D-1'));
    await put(key, other);
    let isFirst = true;
    imports.interfere({
      async call({ command }, go) {
        if (command !== 'CopyObject' || !isFirst) return go();
        isFirst = false;
        await imports.remove(key);
        throw Object.assign(new Error('not there'), { name });
      },
    });
    expect((await tell(key, other)).batchItemFailures).toEqual([]);
    imports.interfere({});
    expect(await imports.keys('documents/')).toEqual(['documents/K-1/note/-/D-1~n.pdf']);
  },
);

it('gives back what it may not copy', async () => {
  const key = 'documents/D-1/birth/-/b.pdf';
  await apply(...['D-1', 'K-1'].map(register), merge('K-1', 'D-1'));
  await put(key);
  imports.interfere({
    call: ({ command }, go) =>
      command === 'CopyObject' ? Promise.reject(Object.assign(new Error('no'), { name: 'AccessDenied' })) : go(),
  });
  expect((await tell(key)).batchItemFailures).toHaveLength(1);
  imports.lines.error.length = 0;
  imports.interfere({});
  expect(await imports.keys('documents/')).toEqual([key]);
});
