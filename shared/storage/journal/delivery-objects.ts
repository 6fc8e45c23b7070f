import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { buckets } from '../../contract/buckets.ts';
import { defineStore } from '../../contract/store.ts';
import { eventObject, messageOfObject, nameOfHour } from '../../domain/journal/exported-hours.ts';
import { listObjects, listPages, s3 } from '../documents/objects.ts';
import { lookInto } from './look-into.ts';
import { putLocked } from './put-locked.ts';

const prefix = buckets.exportedJournal.deliveries;
// Apart from the events, which may be many: each run looks for the newest manifest.
const manifests = `${prefix}hours/`;

const write = (client: S3Client, bucket: string) => ({
  /** The messages whose objects of an hour of publication (`2026-11-22T05`, UTC) are there. */
  async doneOf(hour: string): Promise<ReadonlySet<string>> {
    const done = new Set<string>();
    for await (const page of listPages(client, bucket, `${prefix}${nameOfHour(hour)}/`)) {
      for (const { Key = '' } of page) done.add(messageOfObject(Key));
    }
    return done;
  },

  /** Writes who was told of a message as it comes; there is nothing of it until all is there. */
  async putEvent(event: { readonly messageId: string; readonly publishedAt: string }, text: AsyncIterable<string>) {
    const Body = createGzip();
    const Key = `${prefix}${eventObject(event)}`;
    const upload = new Upload({ client, params: { Bucket: bucket, Key, Body }, queueSize: 1 });
    await Promise.all([pipeline(Readable.from(text), Body), upload.done()]);
  },

  /** Says that an hour is whole, and what it has. */
  putManifest: (hour: string, told: object): Promise<void> =>
    putLocked(
      client,
      bucket,
      `${manifests}${nameOfHour(hour)}.json`,
      Buffer.from(`${JSON.stringify(told, null, 2)}\n`),
    ),

  /** Looks into a folder of manifests, such as `2026/11/22/`, which has `2026/11/22/05.json`. */
  look: lookInto(client, bucket, manifests),
});

const prime = async (client: S3Client, bucket: string): Promise<void> => {
  await listObjects(client, bucket, `${prefix}-/`);
};

/** What was exported of who was told of events: there is no permission to read or remove any of it. */
export const deliveryObjects = defineStore({ name: 'deliveryObjects', client: s3, permissions: { write }, prime });
