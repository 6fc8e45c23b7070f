import { CopyObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { buckets } from '../../contract/buckets.ts';
import { movedKey } from '../../domain/documents/moved-key.ts';
import { listObjects } from './objects.ts';
import { listVersions, removeObject, versionsBelow } from './versions.ts';

const prefix = buckets.documents.documents;

// Amazon S3 API Reference, "CopyObject", and User Guide, "Naming Amazon S3 objects".
const [mostBytes, mostKeyBytes] = [5 * 1024 ** 3, 1024];

/** Where a document goes: keys of the bucket. */
interface Move {
  readonly key: string;
  readonly target: string;
}

const pathOf = (bucket: string, key: string): string => [bucket, ...key.split('/')].map(encodeURIComponent).join('/');

export const change = (client: S3Client, Bucket: string) => {
  return {
    /**
     * Removes the documents of a person in all their versions; again it goes on where it was.
     * @param onName hears the name of each object before it goes, once
     */
    async removeAll(uin: string, onName: (key: string) => Promise<void>): Promise<void> {
      const heard = new Set<string>();
      for await (const which of versionsBelow(client, Bucket, `${prefix}${uin}/`)) {
        if (!heard.has(which.Key)) await onName(which.Key);
        heard.add(which.Key);
        await removeObject(client, Bucket, which);
      }
    },
    /**
     * Where the documents of persons go that become another's. Says so without moving any.
     * @returns undefined where S3 could not move one of them
     */
    async movesOf(duplicates: readonly string[], to: string): Promise<readonly Move[] | undefined> {
      const present = (await listObjects(client, Bucket, `${prefix}${to}/`)).flatMap(({ Key }) => Key ?? []);
      const moves: Move[] = [];
      for (const from of duplicates) {
        for (const { Key = '', Size = 0 } of await listObjects(client, Bucket, `${prefix}${from}/`)) {
          const target = movedKey(Key, { from, to, prefix }, present);
          if (Size > mostBytes || Buffer.byteLength(target) > mostKeyBytes) return undefined;
          present.push(target);
          moves.push({ key: Key, target });
        }
      }
      return moves;
    },
    /** Makes documents another's, and leaves no version of them where they were; again it goes on where it was. */
    async move(moves: readonly Move[]): Promise<void> {
      for (const { key, target } of moves) {
        const below = await Array.fromAsync(listVersions(client, Bucket, key));
        const versions = below.filter(({ Key }) => Key === key);
        await client.send(new CopyObjectCommand({ Bucket, Key: target, CopySource: pathOf(Bucket, key) }));
        // The present one, which S3 lists first, goes last: else one before it would be present to a run that goes on.
        for (const which of versions.toReversed()) await removeObject(client, Bucket, which);
        // S3 keeps no versions.
        if (!versions.some(({ isPresent }) => isPresent)) await removeObject(client, Bucket, { Key: key });
      }
    },
  };
};
