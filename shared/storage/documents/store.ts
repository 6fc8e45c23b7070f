import { Readable } from 'node:stream';
import { GetObjectCommand, type _Object as Listed, type S3Client } from '@aws-sdk/client-s3';
import { buckets } from '../../contract/buckets.ts';
import { defineStore } from '../../contract/define-store.ts';
import type { StoredFile } from '../../domain/documents/choose-document.ts';
import { type DocumentPlace, folderOf, isServed, peopleOf, placeOf } from '../../domain/documents/document-place.ts';
import type { Source } from '../../domain/documents/rendition.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import { listObjects, listPages, removeObject, s3, versionsBelow } from './objects.ts';

const prefix = buckets.documents.documents;

/** Returns the document in an object as a list, which is empty for a folder or for an object that is no document. */
function fileOf({ Key = '', ETag = '', Size = 0, LastModified }: Listed): StoredFile[] {
  const place = placeOf(Key.slice(prefix.length));
  if (place === undefined || Size === 0) return [];
  return [{ ...place, key: Key, etag: ETag, bytes: Size, modifiedAt: Number(LastModified) }];
}

const servedOf = (listed: readonly Listed[]): StoredFile[] =>
  listed.flatMap(fileOf).filter(({ key }) => isServed(key.slice(prefix.length)));

async function sourceOf(client: S3Client, bucket: string, key: string): Promise<Source | undefined> {
  const listed = await listObjects(client, bucket, key);
  const etag = listed.find(({ Key }) => Key === key)?.ETag;
  return etag === undefined ? undefined : { key, etag };
}

const read = (client: S3Client, bucket: string) => ({
  async list(uin: string): Promise<StoredFile[]> {
    const files = servedOf(await listObjects(client, bucket, `${prefix}${uin}/`));
    return files.filter((file) => file.uin === uin);
  },
  at: async (place: DocumentPlace): Promise<StoredFile[]> =>
    servedOf(await listObjects(client, bucket, `${prefix}${folderOf(place)}`)),
  /**
   * Opens a file. The caller must read the body to the end or destroy it.
   * @param range the number of bytes to read from the start
   * @returns undefined if the file does not exist
   */
  async open({ key }: Pick<StoredFile, 'key'>, range?: number) {
    const Range = range === undefined ? {} : { Range: `bytes=0-${range - 1}` };
    const getting = client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...Range }));
    const got = await getting.catch(async (error: Error) => {
      // Without permission to list all keys, S3 returns 403 for a missing object.
      const isHidden = error.name === 'AccessDenied' && (await sourceOf(client, bucket, key)) === undefined;
      if (error.name !== 'NoSuchKey' && !isHidden) throw error;
    });
    if (!got) return undefined;
    const { Body, ETag, ContentLength } = got;
    if (!(Body instanceof Readable) || ETag === undefined || ContentLength === undefined) {
      throw new InternalError('missingContent', {});
    }
    return { etag: ETag, bytes: ContentLength, body: Body };
  },
});

const inspect = (client: S3Client, bucket: string) => ({
  async isAt(place: DocumentPlace): Promise<boolean> {
    for await (const page of listPages(client, bucket, `${prefix}${folderOf(place)}`)) {
      if (page.flatMap(fileOf).length > 0) return true;
    }
    return false;
  },
  source: (key: string): Promise<Source | undefined> => sourceOf(client, bucket, key),
  /** Lists all files in pages. To read the next page, pass the `last` of a page as `after`. */
  async *pages(after?: string): AsyncGenerator<{ files: StoredFile[]; last: string | undefined }, void> {
    for await (const page of listPages(client, bucket, prefix, after)) {
      yield { files: page.flatMap(fileOf), last: page.at(-1)?.Key };
    }
  },
});

const change = (client: S3Client, Bucket: string) => {
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

const warmUp = (client: S3Client, bucket: string): Promise<unknown> => listObjects(client, bucket, `${prefix}-/`);

export const documents = defineStore({ name: 'documents', client: s3, permissions: { read, inspect, change }, warmUp });
