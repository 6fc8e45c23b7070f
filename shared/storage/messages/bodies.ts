import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { readObject, s3, unlessMissing } from '../documents/objects.ts';

export const bodiesBy = (client: S3Client) => ({
  async write(bucket: string, key: string, body: Uint8Array): Promise<void> {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }));
  },
  /** Returns undefined if the body has expired. */
  read: (bucket: string, key: string): Promise<Uint8Array | undefined> =>
    unlessMissing(readObject(client, bucket, key)),
});

export type Bodies = ReturnType<typeof bodiesBy>;

export const bodies = (): Bodies => bodiesBy(s3());
