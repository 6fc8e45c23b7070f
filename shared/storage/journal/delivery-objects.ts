import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import { buckets } from '../../contract/buckets.ts';
import { defineStore } from '../../contract/define-store.ts';
import { eventObject, messageOfObject, nameOfHour } from '../../domain/journal/exported-hours.ts';
import { listPages, s3 } from '../documents/objects.ts';
import { hourObjects, putLocked, warmUpBelow } from './hour-objects.ts';

const prefix = buckets.exportedJournal.deliveries;

const write = (client: S3Client, bucket: string) => ({
  // Manifests have their own folder, so that a search for the newest manifest does not list the many exported events.
  ...hourObjects(client, bucket, `${prefix}hours/`),

  /** Returns the ids of the exported messages that were published in an hour (`2026-11-22T05`, UTC). */
  async exportedMessages(hour: string): Promise<ReadonlySet<string>> {
    const done = new Set<string>();
    for await (const page of listPages(client, bucket, `${prefix}${nameOfHour(hour)}/`)) {
      for (const { Key = '' } of page) done.add(messageOfObject(Key));
    }
    return done;
  },

  /** Streams the deliveries of a message to an object. The object becomes visible when it is complete. */
  async putEvent(event: { readonly messageId: string; readonly publishedAt: string }, text: AsyncIterable<string>) {
    const body = createGzip();
    const putting = putLocked(client, bucket, `${prefix}${eventObject(event)}`, body);
    await Promise.all([pipeline(Readable.from(text), body), putting]);
  },
});

export const deliveryObjects = defineStore({
  ...{ name: 'deliveryObjects', client: s3, permissions: { write } },
  warmUp: warmUpBelow(prefix),
});
