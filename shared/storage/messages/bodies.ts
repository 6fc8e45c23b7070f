import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { readObject, s3 } from '../documents/objects.ts';

export const bodiesBy = (client: S3Client) => ({
  async write(bucket: string, key: string, body: Uint8Array): Promise<void> {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }));
  },
  /** Returns undefined if the body has expired. */
  async read(bucket: string, key: string): Promise<Uint8Array | undefined> {
    try {
      return await readObject(client, bucket, key);
    } catch (error) {
      // Without permission to list objects, S3 returns 403 for a missing object.
      if (['NoSuchKey', 'AccessDenied'].includes((error as Error).name)) return undefined;
      throw error;
    }
  },
});

export type Bodies = ReturnType<typeof bodiesBy>;

export const bodies = (): Bodies => bodiesBy(s3());
