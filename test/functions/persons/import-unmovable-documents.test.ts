import { expect, it } from 'vitest';
import { handler as linkDocuments } from '../../../functions/documents/link-documents.ts';
import { aBucketEvent } from '../../harness/bucket-event.ts';
import { merge, register, useDocumentImports } from '../../harness/document-imports.ts';
import { ndjson } from '../../harness/import-harness.ts';
import { context, sqsEvent } from '../../harness/lambda-events.ts';

const { imports, apply, put, tell } = useDocumentImports();

it('an import logs that a document cannot be moved, and moves the other documents', async () => {
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

/** Makes S3 reject, without details, every copy to or from a key that contains this string. */
const refuseCopies = (of: string, name: string) =>
  imports.interfere({
    call: ({ command, input }, go) =>
      command === 'CopyObject' && String(input.CopySource).includes(of)
        ? Promise.reject(Object.assign(new Error('no'), { name, $metadata: { httpStatusCode: 403 } }))
        : go(),
  });

const [rejected, beside, elsewhere] = [
  'documents/D-1/birth/-/a.pdf',
  'documents/D-1/birth/-/b.pdf',
  'documents/D-1/note/-/n.pdf',
];
const others = ['documents/K-1/birth/-/D-1~b.pdf', 'documents/K-1/note/-/D-1~n.pdf'];

it.each(['InvalidObjectState', 'ObjectNotInActiveTierError', 'AccessDenied'])(
  'all other documents of a merged person are moved if S3 cannot copy one document: %s',
  async (name) => {
    await apply(...['D-1', 'K-1'].map(register), merge('K-1', 'D-1'));
    await put(rejected, beside, elsewhere);
    refuseCopies('a.pdf', name);
    const { batchItemFailures } = await linkDocuments(
      sqsEvent(aBucketEvent(rejected), aBucketEvent(elsewhere)),
      context,
    );
    expect(batchItemFailures).toHaveLength(1);
    expect(await imports.keys('documents/')).toEqual([rejected, ...others]);
    imports.lines.error.length = 0;
    await put(beside);
    expect(await linkDocuments(sqsEvent({ indexing: 'run', added: 0 }), context)).toEqual({ batchItemFailures: [] });
    expect(imports.payloadsIn('documentEvents')).toHaveLength(1);
    imports.interfere({});
  },
);

it('a merge succeeds even if a document is archived, and logs that document', async () => {
  await put(rejected, beside, elsewhere);
  refuseCopies('a.pdf', 'InvalidObjectState');
  const report = await apply(...['D-1', 'K-1'].map(register), merge('K-1', 'D-1'));
  imports.interfere({});
  expect(report).toMatchObject({ applied: { merge: 1 }, rejected: 0 });
  expect(await imports.keys('documents/')).toEqual([rejected, ...others]);
  expect(imports.lines.error).toEqual([expect.stringContaining('documentUnmovable')]);
  imports.lines.error.length = 0;
});

it('an interrupted merge deletes the duplicate, and indexing moves the remaining documents', async () => {
  await put(rejected, beside);
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

it('indexing moves all other documents if it cannot move one document, and sends that document to the queue', async () => {
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

it.each(['NoSuchKey', 'AccessDenied'])(
  'moving the documents of a merged person continues if one document no longer exists: %s',
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
        throw Object.assign(new Error('not found'), { name });
      },
    });
    expect((await tell(key, other)).batchItemFailures).toEqual([]);
    imports.interfere({});
    expect(await imports.keys('documents/')).toEqual(['documents/K-1/note/-/D-1~n.pdf']);
  },
);

it('moving a document of a merged person is retried if S3 denies the copy', async () => {
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
