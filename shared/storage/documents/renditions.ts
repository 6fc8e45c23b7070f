import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { buckets, renditionLifetimes } from '../../contract/buckets.ts';
import { defineStore } from '../../contract/define-store.ts';
import {
  type FailedRendition,
  failedRendition,
  type Rendition,
  type RenditionStore,
  renditionManifest,
  type Source,
  sourceAddress,
  sourceFolder,
} from '../../domain/documents/rendition.ts';
import { listObjects, readObject, removeObject, s3, unlessMissing, versionsBelow } from './objects.ts';

// After this error, repeat the request (see "Conditional writes" in the Amazon S3 User Guide).
const conflict = 'ConditionalRequestConflict';

const json = (value: object): Uint8Array => Buffer.from(JSON.stringify(value));
const parse = (bytes: Uint8Array | undefined): unknown =>
  JSON.parse(Buffer.from(bytes ?? []).toString('utf8') || 'null');

const write = (client: S3Client, bucket: string): RenditionStore => {
  const keyOf = (address: string, name: string): string => `${buckets.documents.renditions}${address}/${name}`;
  const put = (Key: string, Body: Uint8Array, more: { IfNoneMatch?: string; Tagging?: string } = {}) =>
    client.send(new PutObjectCommand({ Bucket: bucket, Key, Body, ...more }));

  async function readParts(address: string): Promise<Uint8Array[] | undefined> {
    const manifest = renditionManifest.safeParse(
      parse(await readObject(client, bucket, keyOf(address, 'manifest.json'))),
    );
    if (!manifest.success) return undefined;
    const reading = manifest.data.parts.map(({ name, etag }) =>
      unlessMissing(readObject(client, bucket, keyOf(address, name), etag)),
    );
    const parts = (await Promise.all(reading)).filter((part) => part !== undefined);
    return parts.length === manifest.data.parts.length ? parts : undefined;
  }

  return {
    /**
     * Returns a rendition's files or its recorded failure; undefined if neither exists. Ignores files without a
     * manifest.
     */
    async get(address) {
      const found = await listObjects(client, bucket, keyOf(address, ''));
      const names = new Set(found.map(({ Key }) => Key));
      if (names.has(keyOf(address, 'manifest.json'))) {
        const parts = await readParts(address);
        if (parts !== undefined) return { parts };
      }
      if (!names.has(keyOf(address, 'error.json'))) return undefined;
      return failedRendition.parse(parse(await readObject(client, bucket, keyOf(address, 'error.json'))));
    },
    /** Stores the files, and then the manifest, unless a manifest already exists. */
    async put(address: string, parts: Rendition, extension: string) {
      const written = parts.map(async (part, index) => {
        const name = `p${String(index + 1).padStart(4, '0')}.${extension}`;
        const { ETag = '' } = await put(keyOf(address, name), part);
        return { name, etag: ETag };
      });
      const manifest = json({ parts: await Promise.all(written) });
      const keep = () => put(keyOf(address, 'manifest.json'), manifest, { IfNoneMatch: '*' });
      try {
        await keep().catch((error: Error) => {
          // The conflicting request may have removed the manifest.
          if (error.name !== conflict) throw error;
          return keep();
        });
      } catch (error) {
        // A concurrent run has already stored the same bytes.
        if (!['PreconditionFailed', conflict].includes((error as Error).name)) throw error;
      }
    },
    async putFailure(address: string, failure: FailedRendition) {
      const { key, value } = renditionLifetimes.tag;
      await put(keyOf(address, 'error.json'), json(failure), { Tagging: `${key}=${value}` });
    },
  };
};

const remove = (client: S3Client, bucket: string) => ({
  /** Removes all versions of a document's renditions, except the renditions of its current source file. */
  async removeOf(key: string, now?: Source): Promise<void> {
    const kept = now && `${buckets.documents.renditions}${sourceAddress(now)}/`;
    for await (const which of versionsBelow(client, bucket, `${buckets.documents.renditions}${sourceFolder(key)}/`)) {
      if (kept === undefined || !which.Key.startsWith(kept)) await removeObject(client, bucket, which);
    }
  },
});

export const renditions = defineStore({ name: 'renditions', client: s3, permissions: { write, remove } });
