import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { readObject, s3 } from '../documents/objects.ts';

/** Bodies of messages as objects of S3, in the bucket and under the key that a call names. */
export const bodiesBy = (client: S3Client) => ({
  /** Again it does no harm. */
  async write(bucket: string, key: string, body: Uint8Array): Promise<void> {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }));
  },
  /** Undefined where it has expired. */
  async read(bucket: string, key: string): Promise<Uint8Array | undefined> {
    try {
      return await readObject(client, bucket, key);
    } catch (error) {
      // Without a right to list, S3 answers 403 for what is not there.
      if (['NoSuchKey', 'AccessDenied'].includes((error as Error).name)) return undefined;
      throw error;
    }
  },
});

export type Bodies = ReturnType<typeof bodiesBy>;

/** The same by the function's own client. */
export const bodies = (): Bodies => bodiesBy(s3());
