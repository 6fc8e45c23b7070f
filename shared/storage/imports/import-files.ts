import { Readable } from 'node:stream';
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { buckets } from '../../contract/buckets.ts';
import { defineStore } from '../../contract/define-store.ts';
import { type ImportFile, type NotifiedFile, reportKey } from '../../domain/imports/import-payload.ts';
import { s3, unlessMissing } from '../documents/objects.ts';

const missingNames = ['NoSuchKey', 'NoSuchVersion', 'PreconditionFailed', '412'];

/**
 * Returns whether the object is missing. Without permission to list objects, S3 reports a missing `s3:ListBucket`
 * permission instead of a missing object. Any other missing permission is an error.
 */
const isMissing = ({ name, message }: Error): boolean =>
  missingNames.includes(name) || (name === 'AccessDenied' && message.includes('s3:ListBucket'));

const isEmpty = ({ name }: Error): boolean => ['InvalidRange', '416'].includes(name);

const partKey = (importId: string, part: number): string =>
  `${buckets.documents.imports}parts/${importId}/${String(part).padStart(6, '0')}`;

const run = (client: S3Client, bucket: string) => ({
  async find(notified: NotifiedFile): Promise<ImportFile | undefined> {
    const { key, versionId } = notified;
    // Use GET, because a HEAD response does not contain the reason for an error.
    const input = new GetObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId, Range: 'bytes=0-0' });
    try {
      const found = await unlessMissing(client.send(input), isMissing);
      // An unread body would keep the connection in use.
      await found?.Body?.transformToByteArray();
      const bytes = Number(found?.ContentRange?.split('/')[1] ?? found?.ContentLength ?? 0);
      return found && { ...notified, eTag: found.ETag ?? '', bytes };
    } catch (error) {
      if (isEmpty(error as Error)) return { ...notified, eTag: '', bytes: 0 };
      throw error;
    }
  },
  /** Reads up to `bytes` bytes of a file at an offset; undefined if the file was deleted or replaced. */
  async readAt(file: ImportFile, offset: number, bytes: number): Promise<Uint8Array | undefined> {
    const { key: Key, versionId: VersionId, eTag } = file;
    const Range = `bytes=${offset}-${Math.min(file.bytes, offset + bytes) - 1}`;
    // If the bucket no longer keeps versions, the file with the version `null` may have been replaced.
    const input = { Bucket: bucket, Key, Range, VersionId, IfMatch: eTag };
    const found = await unlessMissing(client.send(new GetObjectCommand(input)), isMissing);
    return found?.Body?.transformToByteArray();
  },
  async putPart(importId: string, part: number, text: string): Promise<void> {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: partKey(importId, part), Body: text }));
  },
  async part(importId: string, part: number): Promise<string | undefined> {
    const input = new GetObjectCommand({ Bucket: bucket, Key: partKey(importId, part) });
    return (await unlessMissing(client.send(input), isMissing))?.Body?.transformToString();
  },
  /** Streams the report about a file to an object next to the file. */
  async writeReport({ key }: ImportFile, text: AsyncIterable<string>): Promise<void> {
    const Body = Readable.from(text);
    const ContentType = 'application/json';
    await new Upload({ client, params: { Bucket: bucket, Key: reportKey(key), Body, ContentType } }).done();
  },
});

export const importFiles = defineStore({ name: 'importFiles', client: s3, permissions: { run } });
