import { CopyObjectCommand, type S3Client, type S3ServiceException } from '@aws-sdk/client-s3';
import type { DocumentPlace } from '../../domain/documents/document-place.ts';
import { listObjects } from './objects.ts';
import { listVersions, removeObject } from './versions.ts';

/** Where a document goes: keys of the bucket, and the place where it will be, if that is one. */
export interface Move {
  readonly key: string;
  readonly target: string;
  readonly place: DocumentPlace | undefined;
}

// API Reference, "CopyObject": archived, or encrypted by a key that only its writer has.
const uncopyable = ['ObjectNotInActiveTierError', 'InvalidObjectState', 'InvalidRequest'];

/** Whether an error says something of one object alone: not that S3 is slow, or cannot be reached. */
function isRefusal(error: unknown): error is Error {
  const status = (error as Partial<S3ServiceException>).$metadata?.httpStatusCode ?? 0;
  return status >= 400 && status < 500 && status !== 429;
}

/** Why a document was not moved: as S3 answered; undefined where it never copies such a one. */
export type Unmoved = Error | undefined;

const pathOf = (bucket: string, key: string): string => [bucket, ...key.split('/')].map(encodeURIComponent).join('/');

export const move = (client: S3Client, Bucket: string) => {
  /** `gone` where there is nothing to be copied, for somebody else has moved or deleted it. */
  async function copy(key: string, Key: string): Promise<'copied' | 'gone' | 'uncopyable'> {
    try {
      await client.send(new CopyObjectCommand({ Bucket, Key, CopySource: pathOf(Bucket, key) }));
      return 'copied';
    } catch (error) {
      // Without a right to list everything, S3 answers 403 for what is not there.
      const present = await listObjects(client, Bucket, key);
      if (!present.some((one) => one.Key === key)) return 'gone';
      if (uncopyable.includes((error as Error).name)) return 'uncopyable';
      throw error;
    }
  }

  /** Makes a document another's, and leaves no version of it where it was; false where S3 does not copy it. */
  async function moveOne({ key, target }: Move): Promise<boolean> {
    const below = await Array.fromAsync(listVersions(client, Bucket, key));
    const versions = below.filter(({ Key }) => Key === key);
    const is = await copy(key, target);
    if (is !== 'copied') return is === 'gone';
    // The present one, which S3 lists first, goes last: else one before it would be present to a run that goes on.
    for (const which of versions.toReversed()) await removeObject(client, Bucket, which);
    // S3 keeps no versions.
    if (!versions.some(({ isPresent }) => isPresent)) await removeObject(client, Bucket, { Key: key });
    return true;
  }

  return {
    /**
     * Makes documents another's, and leaves no version of them where they were; again it goes on where it was.
     * @returns why those were not moved that stay, which keep no other from it
     */
    async move(moves: readonly Move[]): Promise<readonly Unmoved[]> {
      const unmoved: Unmoved[] = [];
      for (const one of moves) {
        try {
          if (!(await moveOne(one))) unmoved.push(undefined);
        } catch (error) {
          if (!isRefusal(error)) throw error;
          unmoved.push(error);
        }
      }
      return unmoved;
    },
  };
};
