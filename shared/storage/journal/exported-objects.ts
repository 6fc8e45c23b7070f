import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { buckets } from '../../contract/buckets.ts';
import { defineStore } from '../../contract/define-store.ts';
import { eventObject, messageOfObject, nameOfHour } from '../../domain/journal/exported-hours.ts';
import { listObjects, listPages, s3 } from '../documents/objects.ts';

const { journal, deliveries } = buckets.exportedJournal;

export interface Folder {
  readonly folders: readonly string[];
  readonly names: readonly string[];
}

/** Writes an object in parts of 5 MB to a bucket with Object Lock. The SDK adds the required checksums. */
async function putLocked(client: S3Client, Bucket: string, Key: string, Body: Uint8Array | Readable): Promise<void> {
  await new Upload({ client, params: { Bucket, Key, Body }, queueSize: 1 }).done();
}

/** Returns functions for the objects of an export under a prefix. All names are relative to the prefix. */
const hourObjects = (client: S3Client, bucket: string, prefix: string) => {
  const keyOf = (name: string): string => `${prefix}${name}`;
  const put = (name: string, body: Uint8Array): Promise<void> => putLocked(client, bucket, keyOf(name), body);
  return {
    keyOf,
    put,
    /** Writes the manifest of a complete hour (`2026-11-22T05`, UTC). */
    putManifest: (hour: string, facts: object): Promise<void> => {
      const manifest = JSON.stringify({ hour: `${hour}:00:00Z`, ...facts }, null, 2);
      return put(`${nameOfHour(hour)}.json`, Buffer.from(`${manifest}\n`));
    },
    /** Lists the names with a prefix, such as one folder (`2026/11/22/`) or one hour within a folder. */
    async list(begin: string): Promise<Folder> {
      const input = { Bucket: bucket, Prefix: keyOf(begin), Delimiter: '/' };
      const pages = await Array.fromAsync(paginateListObjectsV2({ client }, input));
      const after = (key = ''): string => key.slice(prefix.length);
      return {
        folders: pages.flatMap(({ CommonPrefixes = [] }) => CommonPrefixes.map(({ Prefix }) => after(Prefix))),
        names: pages.flatMap(({ Contents = [] }) => Contents.map(({ Key }) => after(Key))),
      };
    },
  };
};

const writeDeliveries = (client: S3Client, bucket: string) => ({
  // Manifests have their own folder, so that a search for the newest manifest does not list the many exported events.
  ...hourObjects(client, bucket, `${deliveries}hours/`),

  /** Returns the ids of the exported messages that were published in an hour (`2026-11-22T05`, UTC). */
  async exportedMessages(hour: string): Promise<ReadonlySet<string>> {
    const done = new Set<string>();
    for await (const page of listPages(client, bucket, `${deliveries}${nameOfHour(hour)}/`)) {
      for (const { Key = '' } of page) done.add(messageOfObject(Key));
    }
    return done;
  },

  /** Streams the deliveries of a message to an object. The object becomes visible when it is complete. */
  async putEvent(event: { readonly messageId: string; readonly publishedAt: string }, text: AsyncIterable<string>) {
    const body = createGzip();
    const putting = putLocked(client, bucket, `${deliveries}${eventObject(event)}`, body);
    await Promise.all([pipeline(Readable.from(text), body), putting]);
  },
});

const warmUpBelow =
  (prefix: string) =>
  (client: S3Client, bucket: string): Promise<unknown> =>
    listObjects(client, bucket, `${prefix}-/`);

export const journalObjects = defineStore({
  ...{ name: 'journalObjects', client: s3, warmUp: warmUpBelow(journal) },
  permissions: { write: (client: S3Client, bucket: string) => hourObjects(client, bucket, journal) },
});

export const deliveryObjects = defineStore({
  ...{ name: 'deliveryObjects', client: s3, warmUp: warmUpBelow(deliveries) },
  permissions: { write: writeDeliveries },
});
