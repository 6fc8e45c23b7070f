import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as linkDocuments } from '../../../functions/documents/link-documents.ts';
import type { IndexingStep } from '../../../shared/domain/documents/indexing-step.ts';
import { s3 } from '../../../shared/storage/documents/objects.ts';
import { aBucketEvent, aTrial } from '../../harness/bucket-event.ts';
import { useHarness } from '../../harness/harness.ts';
import { context, sqsEvent } from '../../harness/lambda-events.ts';
import { bucketOfTests as Bucket } from '../../harness/variables.ts';

const harness = useHarness({ tables: ['documentLinks', 'persons'] });
beforeEach(() => harness.sqs.server.emptyBucket(Bucket));

const put = (Key: string, body = 'deed') => s3().send(new PutObjectCommand({ Bucket, Key, Body: Buffer.from(body) }));
const remove = (Key: string) => s3().send(new DeleteObjectCommand({ Bucket, Key }));

/** Hands messages to the function; answers how many it gave back. */
async function hear(...messages: readonly unknown[]): Promise<number> {
  const { batchItemFailures } = await linkDocuments(sqsEvent(...messages), context);
  return batchItemFailures.length;
}

/** The links as they are stored: who, and where. */
async function links(): Promise<unknown[]> {
  const rows = await harness.rows('documentLinks');
  return rows.map(({ secondaryUin, place }) => [secondaryUin, place]).toSorted();
}

const deed = 'documents/1/marriage/2/deed.pdf';

describe('an event of the bucket', () => {
  it('links a document of two people to the second, whatever its file is called', async () => {
    const keys = ['documents/1/marriage/2/the deed + copy.pdf', 'documents/3/Heirat/4/Urkunde Köln 100%.pdf'];
    for (const key of keys) await put(key);
    expect(await hear(aBucketEvent(...keys))).toBe(0);
    expect(await links()).toEqual([
      ['2', '1/marriage'],
      ['4', '3/Heirat'],
    ]);
  });

  it('links nothing that is no document of two people', async () => {
    const keys = ['documents/1/birth/-/a.pdf', 'documents/1/marriage/1/a.pdf', 'documents/1/marriage/2'];
    for (const key of keys) await put(key);
    await put('documents/1/marriage/2/', '');
    expect(await hear(aBucketEvent(...keys, 'documents/1/marriage/2/'), aTrial)).toBe(0);
    expect(await links()).toEqual([]);
  });

  it('links what lies in folders below a place, for as long as it is there', async () => {
    const below = 'documents/1/marriage/2/merged/a.pdf';
    await put(below);
    await hear(aBucketEvent(below));
    expect(await links()).toEqual([['2', '1/marriage']]);
    await remove(below);
    await hear(aBucketEvent(below));
    expect(await links()).toEqual([]);
  });

  it('says where to look and no more: late, twice and in any order, the bucket decides', async () => {
    await put(deed);
    expect(await hear(aBucketEvent(deed), aBucketEvent(deed), aBucketEvent(deed, deed))).toBe(0);
    expect(await links()).toEqual([['2', '1/marriage']]);
    await remove(deed);
    await hear(aBucketEvent(deed));
    expect(await links()).toEqual([]);
    // Put again, and the event of the removal comes last.
    await put(deed);
    await hear(aBucketEvent(deed));
    await hear(aBucketEvent(deed));
    expect(await links()).toEqual([['2', '1/marriage']]);
  });

  it('keeps the link while any file is left in the place', async () => {
    const other = 'documents/1/marriage/2/deed.jpg';
    for (const key of [deed, other]) await put(key);
    await hear(aBucketEvent(deed, other));
    await remove(deed);
    await hear(aBucketEvent(deed));
    expect(await links()).toEqual([['2', '1/marriage']]);
  });

  it.each(['put again', 'removed for the first time'])(
    'that is overtaken by another looks again: %s meanwhile',
    async (meanwhile) => {
      await put(deed);
      await hear(aBucketEvent(deed));
      if (meanwhile === 'put again') await remove(deed);
      let isFirst = true;
      harness.interfere({
        async call({ command }, go) {
          const answer = await go();
          if (command !== 'ListObjectsV2' || !isFirst) return answer;
          isFirst = false;
          await (meanwhile === 'put again' ? put(deed) : remove(deed));
          await hear(aBucketEvent(deed));
          return answer;
        },
      });
      expect(await hear(aBucketEvent(deed))).toBe(0);
      expect(isFirst).toBe(false);
      expect(await links()).toEqual(meanwhile === 'put again' ? [['2', '1/marriage']] : []);
    },
  );

  it('goes back to its queue when the bucket cannot be looked at, alone', async () => {
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
    // Names of objects hold UINs.
    expect(harness.lines.error).toHaveLength(1);
    expect(JSON.stringify(harness.lines)).not.toContain('documents/1');
    harness.lines.error.length = 0;
  });

  it('of a bucket that keeps no versions is read', async () => {
    await put(deed);
    expect(await hear({ Records: [{ s3: { object: { key: deed, versionId: null } } }] })).toBe(0);
    expect(await links()).toEqual([['2', '1/marriage']]);
  });

  it('that nobody can read goes back', async () => {
    expect(await hear({ Records: [{ s3: {} }] })).toBe(1);
    harness.lines.error.length = 0;
  });
});

describe('what is in the bucket already', () => {
  const many = 1100;
  const begin: IndexingStep = { indexing: 'run', added: 0 };

  it('is linked page by page; what a step has no time for is the next one’s', async () => {
    for (let from = 0; from < many; from += 100) {
      const some = Array.from({ length: 100 }, (_, index) => `documents/${from + index}/marriage/second ü/deed.pdf`);
      await Promise.all(some.map((key) => put(key)));
    }
    await put('documents/1/birth/-/certificate.pdf');
    await put('documents/2000/marriage/second ü/merged/deed.pdf');
    let step: IndexingStep | undefined = begin;
    let steps = 0;
    for (; step !== undefined; steps += 1) {
      const timed = { ...context, getRemainingTimeInMillis: () => 9000 };
      expect(await linkDocuments(sqsEvent(step), timed)).toEqual({ batchItemFailures: [] });
      [step] = harness.payloadsIn<IndexingStep>('documentEvents');
      await harness.purge('documentEvents');
    }
    expect(await links()).toHaveLength(many + 1);
    // A page each, and at last there is nothing more.
    expect(steps).toBe(3);
    expect(harness.lines.info.join()).toContain(`"added":${many + 1}`);
    // Again: nothing is added, and no link of an event is touched.
    await linkDocuments(sqsEvent({ ...begin, indexing: 'again' }), context);
    expect(harness.lines.info.join()).toContain('"indexing":"again","added":0');
  });
});
