import type { _Object as Listed, S3Client } from '@aws-sdk/client-s3';
import { buckets } from '../../contract/buckets.ts';
import { type DocumentPlace, folderOf, placeOf } from '../../domain/documents/document-place.ts';
import { type Merge, movedNames, peopleOf } from '../../domain/documents/moved-names.ts';
import { type Move, move } from './move.ts';
import { listObjects } from './objects.ts';
import { removeObject, versionsBelow } from './versions.ts';

const prefix = buckets.documents.documents;

// The limits are from "CopyObject" (Amazon S3 API Reference) and "Naming Amazon S3 objects" (User Guide).
const [maxBytes, maxKeyBytes] = [5 * 1024 ** 3, 1024];

const nameOf = ({ Key = '' }: Listed): string => Key.slice(prefix.length);

export const change = (client: S3Client, Bucket: string) => {
  async function removeBelow(
    below: string,
    onName: (key: string) => Promise<void>,
    isKept: (key: string) => Promise<boolean>,
  ): Promise<void> {
    const decided = new Map<string, boolean>();
    for await (const which of versionsBelow(client, Bucket, below)) {
      const known = decided.get(which.Key);
      const keeps = known ?? (await isKept(which.Key));
      if (known === undefined && !keeps) await onName(which.Key);
      decided.set(which.Key, keeps);
      if (!keeps) await removeObject(client, Bucket, which);
    }
  }

  return {
    ...move(client, Bucket),
    /**
     * Removes all versions of a person's documents, except documents kept for a second person. Safe to repeat.
     * @param onName called with each key before the key's first version is removed
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
    removeAt: (place: DocumentPlace, onName: (key: string) => Promise<void>): Promise<void> =>
      removeBelow(`${prefix}${folderOf(place)}`, onName, async () => false),
    /**
     * Plans the document moves of a merge without moving anything.
     * @param owners UINs under which other documents of the merged persons are stored
     * @param only limits the plan to one place
     * @returns the possible moves; `isWhole` is false if S3 cannot move some documents
     */
    async planMoves(
      { keep, duplicates }: Merge,
      owners: readonly string[],
      only?: DocumentPlace,
    ): Promise<{ readonly moves: readonly Move[]; readonly isWhole: boolean }> {
      const isIncluded = (name: string): boolean => only === undefined || name.startsWith(folderOf(only));
      const [present, moving]: [string[], Listed[]] = [[], []];
      const folders = new Set([keep, ...owners, ...duplicates]);
      for (const uin of folders) {
        for (const listed of await listObjects(client, Bucket, `${prefix}${uin}/`)) {
          const [name, people] = [nameOf(listed), peopleOf(nameOf(listed))];
          if (!people.some((one) => duplicates.includes(one))) {
            // A folder object created in the S3 console is not a document.
            if (listed.Size !== 0) present.push(name);
          } else if (isIncluded(name)) {
            moving.push(listed);
            // Also list the other person's folder, because S3 may not have sent events for its documents yet.
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
        ({ target }, index) => (moving[index]?.Size ?? 0) <= maxBytes && Buffer.byteLength(target) <= maxKeyBytes,
      );
      return { moves: movable, isWhole: movable.length === moves.length };
    },
  };
};
