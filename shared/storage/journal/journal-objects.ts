import type { S3Client } from '@aws-sdk/client-s3';
import { buckets } from '../../contract/buckets.ts';
import { defineStore } from '../../contract/define-store.ts';
import { s3 } from '../documents/objects.ts';
import { hourObjects, warmUpBelow } from './hour-objects.ts';

const prefix = buckets.exportedJournal.journal;

const write = (client: S3Client, bucket: string) => hourObjects(client, bucket, prefix);

export const journalObjects = defineStore({
  ...{ name: 'journalObjects', client: s3, permissions: { write } },
  warmUp: warmUpBelow(prefix),
});
