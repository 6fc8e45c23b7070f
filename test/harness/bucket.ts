import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { beforeEach } from 'vitest';
import { listObjects } from '../../shared/storage/documents/objects.ts';
import { awsAccess } from './aws-access.ts';
import type { useSqs } from './embedded.ts';

/** Creates a new, empty bucket before each test. */
export function useEmptyBucket(sqs: ReturnType<typeof useSqs>): ReturnType<typeof openBucket> {
  const own = {} as ReturnType<typeof openBucket>;
  let made = 0;
  beforeEach(() => {
    const bucket = `own-${++made}`;
    sqs.server.createBucket(bucket);
    Object.assign(own, openBucket(sqs.endpoint, bucket));
    return () => own.s3.destroy();
  });
  return own;
}

/** Opens a bucket of the embedded S3 with a client that is not affected by injected faults. */
export function openBucket(endpoint: string, Bucket: string) {
  const s3 = new S3Client({ ...awsAccess, endpoint });
  return {
    s3,
    bucket: Bucket,
    put: async (Key: string, Body: string | Uint8Array): Promise<void> => {
      await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
    },
    remove: async (Key: string): Promise<void> => {
      await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    },
    read: async (Key: string): Promise<Buffer> => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
    keysBelow: async (prefix: string): Promise<string[]> =>
      (await listObjects(s3, Bucket, prefix)).map(({ Key = '' }) => Key),
  };
}
