import type { S3Client } from '@aws-sdk/client-s3';
import { buckets } from '../../contract/buckets.ts';
import { type DocumentPlace, folderOf, peopleOf } from '../../domain/documents/document-place.ts';
import { removeObject, versionsBelow } from './versions.ts';

const prefix = buckets.documents.documents;

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
    /**
     * Removes all versions of a person's documents, except documents that are kept for a second person. Safe to repeat.
     * @param onName called with each key before any version of the object is removed
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
  };
};
