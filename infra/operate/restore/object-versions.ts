import {
  CopyObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type ObjectVersion,
  type S3Client,
} from '@aws-sdk/client-s3';

type Listed = Pick<ObjectVersion, 'Key' | 'VersionId' | 'IsLatest' | 'LastModified'>;

interface Version {
  readonly key: string;
  readonly versionId: string;
  readonly isLatest: boolean;
  readonly at: number;
  /** The ETag and size of an object version; undefined for a delete marker. */
  readonly content: string | undefined;
}

const byKey = (one: Version, other: Version): number => Buffer.compare(Buffer.from(one.key), Buffer.from(other.key));
const newestFirst = (one: Version, other: Version): number =>
  Number(other.isLatest) - Number(one.isLatest) || other.at - one.at;

/** Lists the versions of all objects with a prefix, page by page, sorted by key. */
async function* listVersions(s3: S3Client, Bucket: string, Prefix: string): AsyncGenerator<Version[]> {
  for (let from: { KeyMarker?: string; VersionIdMarker?: string } | undefined = {}; from !== undefined; ) {
    const page: ListObjectVersionsCommandOutput = await s3.send(
      new ListObjectVersionsCommand({ Bucket, Prefix, ...from }),
    );
    const common = ({
      Key: key = '',
      VersionId: versionId = '',
      IsLatest: isLatest = false,
      LastModified,
    }: Listed) => ({
      ...{ key, versionId, isLatest, at: LastModified?.getTime() ?? 0 },
    });
    yield [
      ...(page.Versions ?? []).map((one) => ({ ...common(one), content: `${one.ETag} ${one.Size}` })),
      ...(page.DeleteMarkers ?? []).map((one) => ({ ...common(one), content: undefined })),
    ].sort(byKey);
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    from = page.IsTruncated
      ? { ...(KeyMarker !== undefined && { KeyMarker }), ...(VersionIdMarker !== undefined && { VersionIdMarker }) }
      : undefined;
  }
}

/** An object that existed at the restore point and has been deleted or overwritten since then. */
export interface LostObject {
  readonly key: string;
  readonly versionId: string;
  readonly isDeleted: boolean;
}

/** Finds the version to restore among all versions of an object. */
function lostObject(versions: readonly Version[], moment: Date): LostObject[] {
  const sorted = versions.toSorted(newestFirst);
  const [current] = sorted;
  const wanted = sorted.find(({ at }) => at <= moment.getTime());
  if (current === undefined || wanted?.content === undefined || wanted.content === current.content) return [];
  return [{ key: wanted.key, versionId: wanted.versionId, isDeleted: current.content === undefined }];
}

/** Finds the objects with a prefix that were deleted or overwritten after the restore point. */
export async function* lostObjects(
  s3: S3Client,
  bucket: string,
  prefix: string,
  moment: Date,
): AsyncGenerator<LostObject> {
  let versions: Version[] = [];
  for await (const page of listVersions(s3, bucket, prefix)) {
    for (const one of page) {
      // The versions of one object can be spread over two pages of the list.
      if (versions[0] !== undefined && versions[0].key !== one.key) {
        yield* lostObject(versions, moment);
        versions = [];
      }
      versions.push(one);
    }
  }
  yield* lostObject(versions, moment);
}

/** Makes an old version of an object the current version again. S3 keeps the newer versions. */
export async function restoreObject(s3: S3Client, Bucket: string, { key, versionId }: LostObject): Promise<void> {
  const path = key.split('/').map(encodeURIComponent).join('/');
  const CopySource = `${Bucket}/${path}?versionId=${encodeURIComponent(versionId)}`;
  await s3.send(new CopyObjectCommand({ Bucket, Key: key, CopySource }));
}
