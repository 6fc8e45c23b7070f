import { CopyObjectCommand, type _Object as Listed, type S3Client } from '@aws-sdk/client-s3';
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

  /** False where there is nothing to be copied: somebody else has moved or deleted it. */
  async function copied(key: string, Key: string): Promise<boolean> {
    try {
      await client.send(new CopyObjectCommand({ Bucket, Key, CopySource: pathOf(Bucket, key) }));
      return true;
    } catch (error) {
      // Without a right to list everything, S3 answers 403 for what is not there.
      const present = await listObjects(client, Bucket, key);
      if (present.some((one) => one.Key === key)) throw error;
      return false;
    }
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
      for (const uin of new Set([keep, ...owners, ...duplicates])) {
        for (const listed of await listObjects(client, Bucket, `${prefix}${uin}/`)) {
          const name = nameOf(listed);
          if (!peopleOf(name).some((one) => duplicates.includes(one))) present.push(name);
          else if (isMeant(name)) moving.push(listed);
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
    /** Makes documents another's, and leaves no version of them where they were; again it goes on where it was. */
    async move(moves: readonly Move[]): Promise<void> {
      for (const { key, target } of moves) {
        const below = await Array.fromAsync(listVersions(client, Bucket, key));
        const versions = below.filter(({ Key }) => Key === key);
        if (!(await copied(key, target))) continue;
        // The present one, which S3 lists first, goes last: else one before it would be present to a run that goes on.
        for (const which of versions.toReversed()) await removeObject(client, Bucket, which);
        // S3 keeps no versions.
        if (!versions.some(({ isPresent }) => isPresent)) await removeObject(client, Bucket, { Key: key });
      }
    },
  };
};
