import type { Readable } from 'node:stream';
import { paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { nameOfHour } from '../../domain/journal/exported-hours.ts';
import { listObjects } from '../documents/objects.ts';

export interface Folder {
  readonly folders: readonly string[];
  readonly names: readonly string[];
}

/** Returns a function that lists a folder. All names are relative to the prefix. */
const listFolder =
  (client: S3Client, bucket: string, prefix: string) =>
  async (folder: string): Promise<Folder> => {
    const input = { Bucket: bucket, Prefix: `${prefix}${folder}`, Delimiter: '/' };
    const pages = await Array.fromAsync(paginateListObjectsV2({ client }, input));
    const after = (key = ''): string => key.slice(prefix.length);
    return {
      folders: pages.flatMap(({ CommonPrefixes = [] }) => CommonPrefixes.map(({ Prefix }) => after(Prefix))),
      names: pages.flatMap(({ Contents = [] }) => Contents.map(({ Key }) => after(Key))),
    };
  };

/** Writes an object in parts of 5 MB to a bucket with Object Lock. The SDK adds the required checksums. */
export async function putLocked(
  client: S3Client,
  bucket: string,
  key: string,
  body: Uint8Array | Readable,
): Promise<void> {
  await new Upload({ client, params: { Bucket: bucket, Key: key, Body: body }, queueSize: 1 }).done();
}

/** Returns functions for the objects of an export under a prefix. All names are relative to the prefix. */
export const hourObjects = (client: S3Client, bucket: string, prefix: string) => {
  const keyOf = (name: string): string => `${prefix}${name}`;
  const put = (name: string, body: Uint8Array): Promise<void> => putLocked(client, bucket, keyOf(name), body);
  return {
    keyOf,
    put,
    /** Writes the manifest of a complete hour (`2026-11-22T05`, UTC). */
    putManifest: (hour: string, facts: object): Promise<void> => {
      const manifest = JSON.stringify({ hour: `${hour}:00:00Z`, ...facts }, null, 2);
      return put(`${nameOfHour(hour)}.json`, Buffer.from(`${manifest}\n`));
    },
    /** Lists the names with a prefix, such as one folder (`2026/11/22/`) or one hour within a folder. */
    list: listFolder(client, bucket, prefix),
  };
};

export const warmUpBelow =
  (prefix: string) =>
  (client: S3Client, bucket: string): Promise<unknown> =>
    listObjects(client, bucket, `${prefix}-/`);
