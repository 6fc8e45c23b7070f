import { CopyObjectCommand, type S3Client, type S3ServiceException } from '@aws-sdk/client-s3';
import type { DocumentPlace } from '../../domain/documents/document-place.ts';
import { listObjects } from './objects.ts';
import { listVersions, removeObject } from './versions.ts';

export interface Move {
  readonly key: string;
  readonly target: string;
  readonly place: DocumentPlace | undefined;
}

// S3 cannot copy archived objects or objects encrypted with the writer's own key ("CopyObject", Amazon S3 API Reference).
const uncopyable = ['ObjectNotInActiveTierError', 'InvalidObjectState', 'InvalidRequest'];

/** Returns whether an error affects a single object rather than all of S3. */
function isClientError(error: unknown): error is Error {
  const status = (error as Partial<S3ServiceException>).$metadata?.httpStatusCode ?? 0;
  return status >= 400 && status < 500 && status !== 429;
}

/** The reason why a document was not moved: the error from S3; undefined if S3 cannot copy the document at all. */
export type Unmoved = Error | undefined;

const pathOf = (bucket: string, key: string): string => [bucket, ...key.split('/')].map(encodeURIComponent).join('/');

export const move = (client: S3Client, Bucket: string) => {
  /** Copies an object. Returns `missing` if another run has moved or deleted the document. */
  async function copy(key: string, Key: string): Promise<'copied' | 'missing' | 'uncopyable'> {
    try {
      await client.send(new CopyObjectCommand({ Bucket, Key, CopySource: pathOf(Bucket, key) }));
      return 'copied';
    } catch (error) {
      // Without permission to list all keys, S3 returns 403 for a missing object.
      const present = await listObjects(client, Bucket, key);
      if (!present.some((one) => one.Key === key)) return 'missing';
      if (uncopyable.includes((error as Error).name)) return 'uncopyable';
      throw error;
    }
  }

  /** Moves all versions of a document. Returns false if S3 cannot copy it. */
  async function moveOne({ key, target }: Move): Promise<boolean> {
    const below = await Array.fromAsync(listVersions(client, Bucket, key));
    const versions = below.filter(({ Key }) => Key === key);
    const is = await copy(key, target);
    if (is !== 'copied') return is === 'missing';
    // Remove the current version (listed first) last. Otherwise, an older version would look current to a resumed run.
    for (const which of versions.toReversed()) await removeObject(client, Bucket, which);
    if (!versions.some(({ isCurrent: isPresent }) => isPresent)) await removeObject(client, Bucket, { Key: key });
    return true;
  }

  return {
    /**
     * Moves documents with all their versions. Safe to repeat.
     * @returns the reason for each document that was not moved
     */
    async move(moves: readonly Move[]): Promise<readonly Unmoved[]> {
      const unmoved: Unmoved[] = [];
      for (const one of moves) {
        try {
          if (!(await moveOne(one))) unmoved.push(undefined);
        } catch (error) {
          if (!isClientError(error)) throw error;
          unmoved.push(error);
        }
      }
      return unmoved;
    },
  };
};
