import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import { buckets } from '../../contract/buckets.ts';
import { defineStore } from '../../contract/define-store.ts';
import { eventObject, messageOfObject, nameOfHour } from '../../domain/journal/exported-hours.ts';
import { listPages, s3 } from '../documents/objects.ts';
import { hourObjects, primeBelow } from './hour-objects.ts';
import { putLocked } from './put-locked.ts';

const prefix = buckets.exportedJournal.deliveries;

const write = (client: S3Client, bucket: string) => ({
  // Apart from the events, which may be many: each run looks for the newest manifest.
  ...hourObjects(client, bucket, `${prefix}hours/`),

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
    const body = createGzip();
    const putting = putLocked(client, bucket, `${prefix}${eventObject(event)}`, body);
    await Promise.all([pipeline(Readable.from(text), body), putting]);
  },
});

/** What was exported of who was told of events: there is no permission to read or remove any of it. */
export const deliveryObjects = defineStore({
  ...{ name: 'deliveryObjects', client: s3, permissions: { write } },
  prime: primeBelow(prefix),
});
