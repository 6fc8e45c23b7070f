import {
  DeleteObjectCommand,
  GetObjectCommand,
  type _Object as Listed,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
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

/** Reads a small object. If an ETag is given, the object must not have changed. */
export async function readObject(
  client: S3Client,
  Bucket: string,
  Key: string,
  IfMatch?: string,
): Promise<Uint8Array | undefined> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, IfMatch }));
  return Body?.transformToByteArray();
}

// Without permission to list all keys, S3 returns 403 for a missing object.
const missingNames = ['NoSuchKey', 'AccessDenied', 'PreconditionFailed', '412'];

/** Waits for a read from S3. Returns undefined if the object is missing or does not have the given ETag. */
export async function unlessMissing<Found>(
  reading: Promise<Found>,
  isMissing = ({ name }: Error): boolean => missingNames.includes(name),
): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isMissing(error as Error)) return undefined;
    throw error;
  }
}

interface ObjectVersion {
  readonly Key: string;
  readonly VersionId?: string | undefined;
}

/**
 * Lists all versions and delete markers of the objects with a prefix, newest first, and then the current objects. There
 * are no versions if the bucket keeps none.
 */
export async function* versionsBelow(client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<ObjectVersion> {
  let from: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | undefined = {};
  while (from !== undefined) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket, Prefix, ...from }),
    );
    const { Versions = [], DeleteMarkers = [], IsTruncated } = page;
    for (const { Key = '', VersionId } of [...Versions, ...DeleteMarkers]) yield { Key, VersionId };
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    from = IsTruncated ? { KeyMarker, VersionIdMarker } : undefined;
  }
  // The current objects include objects that were added since the first listing. If the bucket keeps no versions, all
  // objects are current objects.
  for (const { Key = '' } of await listObjects(client, Bucket, Prefix)) yield { Key };
}

export async function removeObject(client: S3Client, Bucket: string, { Key, VersionId }: ObjectVersion): Promise<void> {
  await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
}
