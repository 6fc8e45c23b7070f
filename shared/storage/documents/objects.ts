import { GetObjectCommand, type _Object as Listed, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { answerWithin } from '../answer-within.ts';

let client: S3Client | undefined;

/** The function's one S3 client, made at first use. */
export const s3 = (): S3Client => {
  client ??= new S3Client({
    // A document of some megabytes is on its way for a while.
    requestHandler: answerWithin(8000),
    // Who stores an object chooses its checksum: where the SDK does not know that it refuses the answer, and leaves its connection
    // in use. TLS keeps the bytes whole.
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return client;
};

/** The objects whose keys begin so, a page (at most 1,000) after the other, in the order of their keys; `after`: a key before the first. */
export async function* listPages(
  client: S3Client,
  bucket: string,
  prefix: string,
  after?: string,
): AsyncGenerator<Listed[], void> {
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix,
        ...(after !== undefined && { StartAfter: after }),
        ...(token && { ContinuationToken: token }),
      }),
    );
    yield page.Contents ?? [];
    token = page.NextContinuationToken;
  } while (token !== undefined);
}

/** Every object whose key begins so. */
export const listObjects = async (client: S3Client, bucket: string, prefix: string): Promise<Listed[]> =>
  (await Array.fromAsync(listPages(client, bucket, prefix))).flat();

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
