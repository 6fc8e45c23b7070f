import {
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { listObjects } from './objects.ts';

/** An object, in one version where S3 keeps versions. */
export interface Which {
  readonly Key: string;
  readonly VersionId?: string | undefined;
}

/** Every version of every object whose key begins so; markers of deletions are versions, too. */
export async function* versionsBelow(client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<Which> {
  let from: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | undefined = {};
  while (from !== undefined) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket, Prefix, ...from }),
    );
    for (const { Key = '', VersionId } of page.Versions ?? []) yield { Key, VersionId };
    for (const { Key = '', VersionId } of page.DeleteMarkers ?? []) yield { Key, VersionId };
    const { IsTruncated, NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    from = IsTruncated ? { KeyMarker, VersionIdMarker } : undefined;
  }
  // What was put meanwhile, and all where S3 keeps no versions.
  for (const { Key = '' } of await listObjects(client, Bucket, Prefix)) yield { Key };
}

/** Removes an object, or the one version that is named; again it does no harm. */
export async function removeObject(client: S3Client, Bucket: string, { Key, VersionId }: Which): Promise<void> {
  await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
}
