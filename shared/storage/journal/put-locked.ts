import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';

/**
 * Writes an object to a bucket that locks what it takes, in parts of 5 MB where it is longer. S3 takes none there without a
 * checksum, which the SDK gives each of them.
 */
export async function putLocked(
  client: S3Client,
  bucket: string,
  key: string,
  body: Uint8Array | Readable,
): Promise<void> {
  await new Upload({ client, params: { Bucket: bucket, Key: key, Body: body }, queueSize: 1 }).done();
}
