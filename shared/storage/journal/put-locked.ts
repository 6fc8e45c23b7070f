import { createHash } from 'node:crypto';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';

/** Writes an object to a bucket that locks what it takes: S3 takes none there without a checksum. */
export async function putLocked(client: S3Client, bucket: string, key: string, body: Uint8Array): Promise<void> {
  const ContentMD5 = createHash('md5').update(body).digest('base64');
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentMD5 }));
}
