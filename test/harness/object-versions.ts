import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import type { Interference } from './interference.ts';

/** A noncurrent version of an object in a versioned bucket. */
interface OldVersion {
  readonly key: string;
  readonly versionId: string;
  readonly body: Uint8Array;
  /** The time at which the version stopped being current, in epoch milliseconds. */
  readonly since: number;
}

// The version ID of every object's current version.
const present = 'present';

/**
 * Adds object versions to the embedded S3, which does not support versions. The functions can list and delete the
 * versions.
 */
export function oldVersions(s3: () => S3Client) {
  let versions: OldVersion[] = [];
  let made = 0;

  /** Saves the current version before an object is overwritten or deleted. */
  async function keep(Bucket: string, key: string): Promise<void> {
    try {
      const { Body } = await s3().send(new GetObjectCommand({ Bucket, Key: key }));
      const body = (await Body?.transformToByteArray()) ?? new Uint8Array();
      made += 1;
      versions.push({ key, versionId: `version-${made}`, body, since: Date.now() });
    } catch (error) {
      if ((error as Error).name !== 'NoSuchKey') throw error;
    }
  }

  const interference: Interference = {
    async call<Result>(
      { command, input }: { command: string; input: object },
      go: () => Promise<Result>,
    ): Promise<Result> {
      const { Bucket = '', Key = '', VersionId, Prefix = '' } = input as Record<string, string>;
      const answer = (output: object) => ({ output, response: {} }) as Result;
      if (command === 'ListObjectVersions') {
        const below = versions.filter(({ key }) => key.startsWith(Prefix));
        const { Contents = [] } = await s3().send(new ListObjectsV2Command({ Bucket, Prefix }));
        const listed = below.map(({ key, versionId }) => ({ Key: key, VersionId: versionId }));
        const latest = Contents.map(({ Key }) => ({ Key, VersionId: present, IsLatest: true }));
        return answer({ Versions: [...latest, ...listed] });
      }
      if (command === 'DeleteObject' && VersionId === present) {
        return answer(await s3().send(new DeleteObjectCommand({ Bucket, Key })));
      }
      const [old] = versions.filter(({ versionId }) => versionId === VersionId);
      if (command === 'DeleteObject' && old) {
        versions = versions.filter((one) => one !== old);
        return answer({});
      }
      if (['PutObject', 'DeleteObject', 'CopyObject'].includes(command)) await keep(Bucket, Key);
      return go();
    },
  };

  return {
    keep,
    interference,
    all: (): readonly OldVersion[] => versions,
    /** Deletes expired versions, as a lifecycle rule does. */
    drop(isOver: (version: OldVersion) => boolean): void {
      versions = versions.filter((one) => !isOver(one));
    },
  };
}
