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

interface Version extends Which {
  /** Whether S3 gives it to whoever names no version. */
  readonly isPresent: boolean;
}

/**
 * Every version of every object whose key begins so, markers of deletions too, the newest of each first; none where S3 keeps no
 * versions.
 */
export async function* listVersions(client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<Version> {
  let from: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | undefined = {};
  while (from !== undefined) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket, Prefix, ...from }),
    );
    for (const { Key = '', VersionId, IsLatest: isPresent = false } of page.Versions ?? []) {
      yield { Key, VersionId, isPresent };
    }
    for (const { Key = '', VersionId } of page.DeleteMarkers ?? []) yield { Key, VersionId, isPresent: false };
    const { IsTruncated, NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    from = IsTruncated ? { KeyMarker, VersionIdMarker } : undefined;
  }
}

/** The same, and what was put meanwhile. */
export async function* versionsBelow(client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<Which> {
  yield* listVersions(client, Bucket, Prefix);
  // What was put meanwhile, and all where S3 keeps no versions.
  for (const { Key = '' } of await listObjects(client, Bucket, Prefix)) yield { Key };
}

/** Removes an object, or the one version that is named; again it does no harm. */
export async function removeObject(client: S3Client, Bucket: string, { Key, VersionId }: Which): Promise<void> {
  await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
}
