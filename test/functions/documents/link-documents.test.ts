import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as indexDocuments } from '../../../functions/documents/index-documents.ts';
import { handler as linkDocuments } from '../../../functions/documents/link-documents.ts';
import type { IndexingStep } from '../../../shared/domain/documents/indexing-step.ts';
import { s3 } from '../../../shared/storage/documents/objects.ts';
import { aBucketEvent, aTestMessage } from '../../harness/bucket-event.ts';
import { useHarness } from '../../harness/harness.ts';
import { context, sqsEvent } from '../../harness/lambda-events.ts';
import { bucketOfTests as Bucket } from '../../harness/variables.ts';

const harness = useHarness({ tables: ['documentLinks', 'persons'] });
beforeEach(() => harness.sqs.server.emptyBucket(Bucket));

const put = (Key: string, body = 'deed') => s3().send(new PutObjectCommand({ Bucket, Key, Body: Buffer.from(body) }));
const remove = (Key: string) => s3().send(new DeleteObjectCommand({ Bucket, Key }));

/** Sends messages to the function. Returns the number of failed messages. */
async function hear(...messages: readonly unknown[]): Promise<number> {
  const { batchItemFailures } = await linkDocuments(sqsEvent(...messages), context);
  return batchItemFailures.length;
}

/** Returns the UIN of the second person and the folder from each stored link. */
async function links(): Promise<unknown[]> {
  const rows = await harness.rows('documentLinks');
  return rows.map(({ secondaryUin, place }) => [secondaryUin, place]).toSorted();
}

const deed = 'documents/1/marriage/2/deed.pdf';

describe('an event from the documents bucket', () => {
  it('an event links a document about two persons to the second person, regardless of the file name', async () => {
    const keys = ['documents/1/marriage/2/the deed + copy.pdf', 'documents/3/Heirat/4/Urkunde Köln 100%.pdf'];
    for (const key of keys) await put(key);
    expect(await hear(aBucketEvent(...keys))).toBe(0);
    expect(await links()).toEqual([
      ['2', '1/marriage'],
      ['4', '3/Heirat'],
    ]);
  });

  it('an event creates no link for a document about one person', async () => {
    const keys = ['documents/1/birth/-/a.pdf', 'documents/1/marriage/1/a.pdf', 'documents/1/marriage/2'];
    for (const key of keys) await put(key);
    await put('documents/1/marriage/2/', '');
    expect(await hear(aBucketEvent(...keys, 'documents/1/marriage/2/'), aTestMessage)).toBe(0);
    expect(await links()).toEqual([]);
  });

  it('files in subfolders are linked for as long as they exist', async () => {
    const below = 'documents/1/marriage/2/merged/a.pdf';
    await put(below);
    await hear(aBucketEvent(below));
    expect(await links()).toEqual([['2', '1/marriage']]);
    await remove(below);
    await hear(aBucketEvent(below));
    expect(await links()).toEqual([]);
  });

  it('the links match the content of the bucket even if events are late, repeated or out of order', async () => {
    await put(deed);
    expect(await hear(aBucketEvent(deed), aBucketEvent(deed), aBucketEvent(deed, deed))).toBe(0);
    expect(await links()).toEqual([['2', '1/marriage']]);
    await remove(deed);
    await hear(aBucketEvent(deed));
    expect(await links()).toEqual([]);
    // The document is stored again before the event about its removal arrives.
    await put(deed);
    await hear(aBucketEvent(deed));
    await hear(aBucketEvent(deed));
    expect(await links()).toEqual([['2', '1/marriage']]);
  });

  it('a link is kept while the folder of its document contains any file', async () => {
    const other = 'documents/1/marriage/2/deed.jpg';
    for (const key of [deed, other]) await put(key);
    await hear(aBucketEvent(deed, other));
    await remove(deed);
    await hear(aBucketEvent(deed));
    expect(await links()).toEqual([['2', '1/marriage']]);
  });

  it.each(['stored again', 'removed for the first time'])(
    'an event is processed again if the document is %s in the meantime',
    async (meanwhile) => {
      await put(deed);
      await hear(aBucketEvent(deed));
      if (meanwhile === 'stored again') await remove(deed);
      let isFirst = true;
      harness.interfere({
        async call({ command }, go) {
          const answer = await go();
          if (command !== 'ListObjectsV2' || !isFirst) return answer;
          isFirst = false;
          await (meanwhile === 'stored again' ? put(deed) : remove(deed));
          await hear(aBucketEvent(deed));
          return answer;
        },
      });
      expect(await hear(aBucketEvent(deed))).toBe(0);
      expect(isFirst).toBe(false);
      expect(await links()).toEqual(meanwhile === 'stored again' ? [['2', '1/marriage']] : []);
    },
  );

  it('if the documents of one event cannot be listed, only this event returns to the queue', async () => {
    const other = 'documents/3/marriage/4/deed.pdf';
    for (const key of [deed, other]) await put(key);
    harness.interfere({
      call: ({ command, input }, go) =>
        command === 'ListObjectsV2' && String(input.Prefix).startsWith('documents/1/')
          ? Promise.reject(Object.assign(new Error(`no ${input.Prefix}`), { name: 'AccessDenied' }))
          : go(),
    });
    expect(await hear(aBucketEvent(deed), aBucketEvent(other))).toBe(1);
    expect(await links()).toEqual([['4', '3/marriage']]);
    // Object names contain UINs and must not be logged.
    expect(harness.lines.error).toHaveLength(1);
    expect(JSON.stringify(harness.lines)).not.toContain('documents/1');
    harness.lines.error.length = 0;
  });

  it('an event from a bucket without versioning is accepted', async () => {
    await put(deed);
    expect(await hear({ Records: [{ s3: { object: { key: deed, versionId: null } } }] })).toBe(0);
    expect(await links()).toEqual([['2', '1/marriage']]);
  });

  it('an event with unreadable content returns to the queue', async () => {
    expect(await hear({ Records: [{ s3: {} }] })).toBe(1);
    harness.lines.error.length = 0;
  });
});

describe('the indexing of existing documents', () => {
  const many = 11;
  /** Starts the job as an operator does. Returns the ID and the first step of the run. */
  async function begin() {
    const { indexing } = await indexDocuments({});
    const [step] = harness.payloadsIn<IndexingStep>('documentEvents');
    await harness.purge('documentEvents');
    return { indexing, step };
  }

  it('indexing links the documents page by page and leaves the remaining pages to the next step', async () => {
    // Limits each page from S3 to ten documents instead of a thousand.
    harness.interfere({
      call({ command, input }, go) {
        if (command === 'ListObjectsV2') Object.assign(input, { MaxKeys: 10 });
        return go();
      },
    });
    for (let index = 0; index < many; index++) await put(`documents/${index}/marriage/second ü/deed.pdf`);
    await put('documents/1/birth/-/certificate.pdf');
    await put('documents/2000/marriage/second ü/merged/deed.pdf');
    let { step } = await begin();
    let steps = 0;
    for (; step !== undefined; steps += 1) {
      const timed = { ...context, getRemainingTimeInMillis: () => 9000 };
      expect(await linkDocuments(sqsEvent(step), timed)).toEqual({ batchItemFailures: [] });
      [step] = harness.payloadsIn<IndexingStep>('documentEvents');
      await harness.purge('documentEvents');
    }
    expect(await links()).toHaveLength(many + 1);
    // Each step processes one page. The last step finds no more documents.
    expect(steps).toBe(3);
    expect(harness.lines.info.join()).toContain(`"added":${many + 1}`);
    // A second run adds no links.
    const again = await begin();
    await linkDocuments(sqsEvent(again.step), context);
    expect(harness.lines.info.join()).toContain(`"indexing":"${again.indexing}","added":0`);
  });
});
