import { GetObjectCommand, type _Object as Listed, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { clientConfig, sharedClient } from '../client-config.ts';

export const s3 = sharedClient(
  () =>
    new S3Client({
      ...clientConfig(8000),
      // The uploader chooses the checksum algorithm. The SDK would reject a response with an unknown algorithm and keep
      // the connection open. TLS protects the bytes.
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
);

/**
 * Lists the objects with a prefix, ordered by key, in pages of at most 1,000 objects.
 * @param StartAfter the key after which the list starts
 */
export async function* listPages(
  client: S3Client,
  Bucket: string,
  Prefix: string,
  StartAfter?: string,
): AsyncGenerator<Listed[], void> {
  const pages = paginateListObjectsV2({ client }, { Bucket, Prefix, StartAfter });
  for await (const { Contents = [] } of pages) yield Contents;
}

export const listObjects = async (client: S3Client, bucket: string, prefix: string): Promise<Listed[]> =>
  (await Array.fromAsync(listPages(client, bucket, prefix))).flat();

/** Reads a small object. Returns undefined if the object is missing or, if an ETag is given, has changed. */
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
    // Without permission to list all keys, S3 returns 403 for a missing object.
    if (
      etag !== undefined &&
      ['NoSuchKey', 'AccessDenied', 'PreconditionFailed', '412'].includes((error as Error).name)
    ) {
      return undefined;
    }
    throw error;
  }
}
