import { Readable } from 'node:stream';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { buckets } from '../../contract/buckets.ts';
import { defineStore } from '../../contract/store.ts';
import type { StoredFile } from '../../domain/documents/choose-document.ts';
import { Fault } from '../../model/faults.ts';
import { listObjects, s3 } from './objects.ts';

interface OpenFile {
  readonly etag: string;
  readonly bytes: number;
  readonly body: Readable;
}

const prefix = buckets.documents.documents;

const read = (client: S3Client, bucket: string) => ({
  /** Every document file that is stored under a UIN. */
  async list(uin: string): Promise<StoredFile[]> {
    const objects = await listObjects(client, bucket, `${prefix}${uin}/`);
    return objects.flatMap(({ Key = '', ETag = '', Size = 0, LastModified }): StoredFile[] => {
      const [owner = '', doctype = '', second = '', ...names] = Key.slice(prefix.length).split('/');
      // Folders that consoles make, and whatever else is not laid out as documents are.
      if (owner !== uin || names.length !== 1 || names[0] === '' || Size === 0) return [];
      const secondaryUin = second === '-' ? undefined : second;
      return [{ key: Key, uin, doctype, secondaryUin, etag: ETag, bytes: Size, modifiedAt: Number(LastModified) }];
    });
  },
  /** Opens a file; who does not read the body to its end must destroy it. `range` takes that many first bytes only. */
  async open({ key }: Pick<StoredFile, 'key'>, range?: number): Promise<OpenFile> {
    const { Body, ETag, ContentLength } = await client.send(
      new GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ...(range === undefined ? {} : { Range: `bytes=0-${range - 1}` }),
      }),
    );
    if (!(Body instanceof Readable) || ETag === undefined || ContentLength === undefined) {
      throw new Fault('missingContent', {});
    }
    return { etag: ETag, bytes: ContentLength, body: Body };
  },
});

const prime = async (client: S3Client, bucket: string): Promise<void> => {
  await listObjects(client, bucket, `${prefix}-/`);
};

export const documents = defineStore({ name: 'documents', client: s3, permissions: { read }, prime });
