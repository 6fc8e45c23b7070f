import type { S3Client } from '@aws-sdk/client-s3';
import { buckets } from '../../contract/buckets.ts';
import { defineStore } from '../../contract/store.ts';
import { listObjects, s3 } from '../documents/objects.ts';
import { lookInto } from './look-into.ts';
import { putLocked } from './put-locked.ts';

const prefix = buckets.exportedJournal.journal;

const write = (client: S3Client, bucket: string) => ({
  /** Writes an object whose name comes after `journal/`; answers its whole key. */
  async put(name: string, body: Uint8Array): Promise<string> {
    const Key = `${prefix}${name}`;
    await putLocked(client, bucket, Key, body);
    return Key;
  },
  /** Looks into a folder (`2026/11/22/`), as it comes after `journal/`. */
  look: lookInto(client, bucket, prefix),
});

const prime = async (client: S3Client, bucket: string): Promise<void> => {
  await listObjects(client, bucket, `${prefix}-/`);
};

/** The exported journal: there is no permission to read or remove any of it. */
export const journalObjects = defineStore({ name: 'journalObjects', client: s3, permissions: { write }, prime });
