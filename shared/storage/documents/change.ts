import type { _Object as Listed, S3Client } from '@aws-sdk/client-s3';
import { buckets } from '../../contract/buckets.ts';
import { type DocumentPlace, folderOf, placeOf } from '../../domain/documents/document-place.ts';
import { type Merge, movedNames, peopleOf } from '../../domain/documents/moved-names.ts';
import { type Move, move } from './move.ts';
import { listObjects } from './objects.ts';
import { removeObject, versionsBelow } from './versions.ts';

const prefix = buckets.documents.documents;

// Amazon S3 API Reference, "CopyObject", and User Guide, "Naming Amazon S3 objects".
const [mostBytes, mostKeyBytes] = [5 * 1024 ** 3, 1024];

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

  return {
    ...move(client, Bucket),
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
  };
};
