import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { buckets } from '../../contract/buckets.ts';
import { defineStore } from '../../contract/store.ts';
import { readObject, s3 } from '../documents/objects.ts';

const keyOf = (bodyKey: string): string => `${buckets.documents.messages}${bodyKey}`;

const write = (client: S3Client, bucket: string) => ({
  /** Keeps the body of a message under the key that its publication chose; again it does no harm. */
  async putBody(bodyKey: string, bodyBase64: string): Promise<void> {
    const Body = Buffer.from(bodyBase64, 'base64');
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: keyOf(bodyKey), Body }));
  },
});

const deliver = (client: S3Client, bucket: string) => ({
  /** The body as base64; undefined where it has expired. */
  async bodyOf(bodyKey: string): Promise<string | undefined> {
    try {
      const bytes = await readObject(client, bucket, keyOf(bodyKey));
      return bytes && Buffer.from(bytes).toString('base64');
    } catch (error) {
      // Without a right to list, S3 answers 403 for what is not there.
      if (['NoSuchKey', 'AccessDenied'].includes((error as Error).name)) return undefined;
      throw error;
    }
  },
  ...write(client, bucket),
});

/** The bodies of long messages: thousands of copies may read one at once, which one key of a table would not bear. */
export const messages = defineStore({ name: 'messages', client: s3, permissions: { write, deliver } });
