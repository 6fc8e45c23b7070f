import { CopyObjectCommand, type _Object as Listed, type S3Client, type S3ServiceException } from '@aws-sdk/client-s3';
import { buckets } from '../../contract/buckets.ts';
import { type DocumentPlace, folderOf, placeOf } from '../../domain/documents/document-place.ts';
import { type Merge, movedNames, peopleOf } from '../../domain/documents/moved-names.ts';
import { listObjects } from './objects.ts';
import { listVersions, removeObject, versionsBelow } from './versions.ts';

const prefix = buckets.documents.documents;

// Amazon S3 API Reference, "CopyObject", and User Guide, "Naming Amazon S3 objects".
const [mostBytes, mostKeyBytes] = [5 * 1024 ** 3, 1024];

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

const nameOf = ({ Key = '' }: Listed): string => Key.slice(prefix.length);

export const change = (client: S3Client, Bucket: string) => {
  async function removeBelow(
    below: string,
    onName: (key: string) => Promise<void>,
    isKept: (key: string) => Promise<boolean>,
  ): Promise<void> {
    const heard = new Map<string, boolean>();
    for await (const which of versionsBelow(client, Bucket, below)) {
      const known = heard.get(which.Key);
      const keeps = known ?? (await isKept(which.Key));
      if (known === undefined && !keeps) await onName(which.Key);
      heard.set(which.Key, keeps);
      if (!keeps) await removeObject(client, Bucket, which);
    }
  }

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
     * Removes the documents that lie under a person in all their versions, but those that name a second one who keeps them;
     * again it goes on where it was.
     * @param onName hears the name of each object before it goes, once
     */
    async removeUnder(
      uin: string,
      isKeptBy: (second: string) => Promise<boolean>,
      onName: (key: string) => Promise<void>,
    ): Promise<void> {
      await removeBelow(`${prefix}${uin}/`, onName, async (key) => {
        const second = peopleOf(key.slice(prefix.length)).find((one) => one !== uin);
        return second !== undefined && (await isKeptBy(second));
      });
    },
    /** Removes what lies in one place in the same way. */
    removeAt: (place: DocumentPlace, onName: (key: string) => Promise<void>): Promise<void> =>
      removeBelow(`${prefix}${folderOf(place)}`, onName, async () => false),
    /**
     * Where documents go whose persons become one with another, also those that name such a person as the second. Says so
     * without moving any.
     * @param owners of others' documents that name one of them, and of those that name the other
     * @param only what lies in this place
     * @returns `isWhole`: whether S3 can move all of them; else `moves` are the others
     */
    async movesOf(
      { keep, duplicates }: Merge,
      owners: readonly string[],
      only?: DocumentPlace,
    ): Promise<{ readonly moves: readonly Move[]; readonly isWhole: boolean }> {
      const isMeant = (name: string): boolean => only === undefined || name.startsWith(folderOf(only));
      const [present, moving]: [string[], Listed[]] = [[], []];
      const folders = new Set([keep, ...owners, ...duplicates]);
      for (const uin of folders) {
        for (const listed of await listObjects(client, Bucket, `${prefix}${uin}/`)) {
          const [name, people] = [nameOf(listed), peopleOf(nameOf(listed))];
          if (!people.some((one) => duplicates.includes(one))) {
            // A folder that a console made is no document.
            if (listed.Size !== 0) present.push(name);
          } else if (isMeant(name)) {
            moving.push(listed);
            // What the same two have under the other, of which the bucket may not have told yet: looked at in its turn.
            for (const one of people) folders.add(one);
          }
        }
      }
      const names = movedNames(moving.map(nameOf), { keep, duplicates }, present);
      const moves = moving.map((listed, index): Move => {
        const name = names[index] ?? '';
        return { key: `${prefix}${nameOf(listed)}`, target: `${prefix}${name}`, place: placeOf(name) };
      });
      const movable = moves.filter(
        ({ target }, index) => (moving[index]?.Size ?? 0) <= mostBytes && Buffer.byteLength(target) <= mostKeyBytes,
      );
      return { moves: movable, isWhole: movable.length === moves.length };
    },
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
