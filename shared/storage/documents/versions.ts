import {
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { listObjects } from './objects.ts';

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
