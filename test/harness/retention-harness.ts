import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeEach, vi } from 'vitest';
import { daysOf } from '../../infra/docs/retention/days.ts';
import { placeText, retention } from '../../infra/docs/retention/retention.ts';
import type { StoredData } from '../../infra/docs/retention/stored-data.ts';
import { type QueueName, queueDays } from '../../shared/contract/queue-names.ts';
import { type Table, type TableName, tables } from '../../shared/contract/tables.ts';
import { renderOnce } from '../../shared/documents/reply-with-document.ts';
import { dayMs } from '../../shared/domain/time.ts';
import { renditions } from '../../shared/storage/documents/renditions.ts';
import { documents } from '../../shared/storage/documents/store.ts';
import { awsAccess } from './aws-access.ts';
import { aBucketEvent } from './bucket-event.ts';
import { noon } from './builders.ts';
import { useDeliveryHarness } from './delivery-harness.ts';
import { oldVersions } from './object-versions.ts';
import { queueNames } from './queues.ts';
import { readable } from './readable-text.ts';
import { bucketOfTests as Bucket, type GivenSettings, settingsOf } from './variables.ts';

/** A stored item: its entry in the retention list, and its readable text. */
interface Found {
  readonly kept: StoredData | undefined;
  readonly where: string;
  readonly text: string;
}

const listed = (fits: (at: StoredData['at']) => boolean): StoredData | undefined =>
  retention.find(({ at }) => fits(at));

/**
 * Runs the whole service in this process. Stored data expires according to the test clock, and tests can search through
 * all of it.
 */
export function useRetention(settings: GivenSettings = {}) {
  const harness = useDeliveryHarness(settings);
  let client: S3Client | undefined;
  // Injected faults do not affect the calls of this S3 client.
  const s3 = (): S3Client => {
    client ??= new S3Client({ ...awsAccess, endpoint: harness.sqs.endpoint });
    return client;
  };
  afterAll(() => client?.destroy());
  const old = oldVersions(s3);
  const warnings: string[] = [];
  beforeEach(() => {
    harness.sqs.server.emptyBucket(Bucket);
    old.drop(() => true);
    harness.interfere(old.interference);
    warnings.length = 0;
    vi.spyOn(console, 'warn').mockImplementation((...parts) => void warnings.push(JSON.stringify(parts)));
  });
  const lifetimes = settingsOf(settings);
  const isOver = (kept: StoredData | undefined, since: number): boolean => {
    const days = kept?.days === undefined ? undefined : daysOf(kept.days, lifetimes);
    return days !== undefined && since + days * dayMs <= harness.now();
  };
  const keptBelow = (key: string, isOld: boolean) =>
    listed((at) => 'bucket' in at && key.startsWith(at.prefix) && (at.isOld ?? false) === isOld);
  const objects = async () => (await s3().send(new ListObjectsV2Command({ Bucket }))).Contents ?? [];

  async function* rows(): AsyncGenerator<Found> {
    for (const [name, { partition }] of Object.entries<Table>(tables)) {
      for (const row of await harness.rows(name as TableName)) {
        const id = String(row[partition]);
        const kept = listed((at) => 'table' in at && at.table === name && id.startsWith(at.begins ?? ''));
        yield { kept, where: `${name}: ${id}`, text: readable(row) };
      }
    }
  }
  async function* bodies(): AsyncGenerator<Found> {
    for (const { Key = '' } of await objects()) {
      const { Body } = await s3().send(new GetObjectCommand({ Bucket, Key }));
      const text = `${Key} ${readable(await Body?.transformToByteArray())}`;
      yield { kept: keptBelow(Key, false), where: Key, text };
    }
    for (const { key, body } of old.all())
      yield { kept: keptBelow(key, true), where: key, text: `${key} ${readable(body)}` };
  }
  function* queued(): Generator<Found> {
    for (const name of queueNames) {
      const kept = listed((at) => 'queues' in at && at.queues.includes(name));
      for (const queue of [name, `${name}DeadLetters`] as const) {
        for (const body of harness.bodiesIn(queue)) yield { kept, where: queue, text: readable(body) };
      }
    }
  }
  function* told(): Generator<Found> {
    const kept = listed((at) => 'aws' in at && at.aws === 'logs');
    for (const text of [...Object.values(harness.lines).flat(), ...warnings])
      yield { kept, where: 'log', text: readable(text) };
  }

  return {
    ...harness,
    s3,
    /**
     * Returns the names of the places in which any of the given strings is stored, ignoring case. The README defines
     * the place names.
     */
    async placesOf(...texts: readonly string[]): Promise<string[]> {
      const places = new Set<string>();
      for (const part of [rows(), bodies(), queued(), told()]) {
        for await (const { kept, where, text } of part) {
          if (!texts.some((one) => text.toLowerCase().includes(one.toLowerCase()))) continue;
          places.add(kept === undefined ? `not in the retention list: ${where}` : placeText(kept));
        }
      }
      return [...places].toSorted();
    },
    /** Sets the clock to the given number of days after noon, and deletes all data that has expired by then. */
    async dayAfter(days: number): Promise<void> {
      harness.moveTo(noon + days * dayMs);
      for (const [name, { partition, sort, expiresAt = '' }] of Object.entries<Table>(tables)) {
        for (const row of await harness.rows(name as TableName)) {
          if (Number(row[expiresAt] ?? Number.POSITIVE_INFINITY) * 1000 > harness.now()) continue;
          const key = Object.entries(row).filter(([attribute]) => [partition, sort].includes(attribute));
          await harness.remove(name as TableName, Object.fromEntries(key));
        }
      }
      for (const { Key = '', LastModified } of await objects()) {
        if (isOver(keptBelow(Key, false), Number(LastModified))) {
          await old.keep(Bucket, Key);
          await s3().send(new DeleteObjectCommand({ Bucket, Key }));
        }
      }
      old.drop(({ key, since }) => isOver(keptBelow(key, true), since));
      for (const name of queueNames.flatMap((one) => [one, `${one}DeadLetters`] as const)) {
        if (harness.ageIn(name) >= queueDays * dayMs) await harness.purge(name);
      }
    },
    /** Sends a message body to the dead-letter queue of the given queue. */
    async sendDead(name: QueueName, MessageBody: string): Promise<void> {
      const QueueUrl = `${harness.queues[name]}DeadLetters`;
      await harness.sqs.client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    },
    /** Stores an object as a registry system does, and sends the S3 event about it to a queue. */
    async put(queue: 'documentEvents' | 'imports', Key: string, Body: string): Promise<void> {
      await old.keep(Bucket, Key);
      await s3().send(new PutObjectCommand({ Bucket, Key, Body }));
      await harness.send(queue, aBucketEvent(Key));
    },
    /** Deletes a document as a registry system does, and sends the S3 event about it. */
    async deleteDocument(Key: string): Promise<void> {
      await old.keep(Bucket, Key);
      await s3().send(new DeleteObjectCommand({ Bucket, Key }));
      await harness.send('documentEvents', aBucketEvent(Key));
    },
    /** Stores a converted document as the document function does. */
    async convert(key: string, made: string): Promise<void> {
      const source = await documents.permissions.inspect(s3(), Bucket).source(key);
      if (source === undefined) throw new Error(`no such object: ${key}`);
      const rendering = {
        renditions: renditions.permissions.write(s3(), Bucket),
        converter: { convert: async () => [Buffer.from(made)] },
        onConverted: () => {},
        onNotStored: (error: unknown) => Promise.reject(error),
      };
      await renderOnce(Buffer.from(made), source, { stored: 'pdf', write: 'png', page: undefined }, rendering);
    },
  };
}
