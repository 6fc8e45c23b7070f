import { GetObjectCommand, type _Object as Listed, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { answerWithin } from '../answer-within.ts';

let client: S3Client | undefined;

/** The function's one S3 client, made at first use. */
export const s3 = (): S3Client => {
  // A document of some megabytes is on its way for a while.
  client ??= new S3Client({ requestHandler: answerWithin(8000) });
  return client;
};

/** Every object whose key begins so. */
export async function listObjects(client: S3Client, bucket: string, prefix: string): Promise<Listed[]> {
  const all: Listed[] = [];
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...(token && { ContinuationToken: token }) }),
    );
    all.push(...(page.Contents ?? []));
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return all;
}

/** The whole of a small object; with an ETag, undefined when the object is gone or another. */
export async function readObject(
  client: S3Client,
  bucket: string,
  key: string,
  etag?: string,
): Promise<Uint8Array | undefined> {
  try {
    const { Body } = await client.send(
      new GetObjectCommand({ Bucket: bucket, Key: key, ...(etag !== undefined && { IfMatch: etag }) }),
    );
    return await Body?.transformToByteArray();
  } catch (error) {
    // Without a right to list everything, S3 answers 403 for what is not there.
    if (
      etag !== undefined &&
      ['NoSuchKey', 'AccessDenied', 'PreconditionFailed', '412'].includes((error as Error).name)
    ) {
      return undefined;
    }
    throw error;
  }
}
