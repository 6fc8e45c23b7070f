import { Readable } from 'node:stream';
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { buckets } from '../../contract/buckets.ts';
import { defineStore } from '../../contract/define-store.ts';
import { type ImportFile, reportKey, type ToldFile } from '../../domain/imports/import-payload.ts';
import { s3 } from '../documents/objects.ts';

const goneNames = ['NoSuchKey', 'NoSuchVersion', 'PreconditionFailed', '412'];

/**
 * Who may not list all is told by S3 of what is not there that it lacks that right. Where it names another, of S3 or of the key
 * that objects are encrypted with, the file may well be there.
 */
const isGone = ({ name, message }: Error): boolean =>
  goneNames.includes(name) || (name === 'AccessDenied' && message.includes('s3:ListBucket'));

const isEmpty = ({ name }: Error): boolean => ['InvalidRange', '416'].includes(name);

/** The folder in which the refused lines of an import are kept until its report is written. */
const partKey = (importId: string, part: number): string =>
  `${buckets.documents.imports}parts/${importId}/${String(part).padStart(6, '0')}`;

const orGone = async <Answer>(asked: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await asked;
  } catch (error) {
    if (isGone(error as Error)) return undefined;
    throw error;
  }
};

const run = (client: S3Client, bucket: string) => ({
  /** The file that S3 tells of; undefined where it is gone. */
  async look(told: ToldFile): Promise<ImportFile | undefined> {
    const { key, versionId } = told;
    // To a HEAD, S3 answers without saying why it refuses.
    const asked = new GetObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId, Range: 'bytes=0-0' });
    try {
      const found = await orGone(client.send(asked));
      // Else the connection stays taken.
      await found?.Body?.transformToByteArray();
      const bytes = Number(found?.ContentRange?.split('/')[1] ?? found?.ContentLength ?? 0);
      return found && { ...told, eTag: found.ETag ?? '', bytes };
    } catch (error) {
      if (isEmpty(error as Error)) return { ...told, eTag: '', bytes: 0 };
      throw error;
    }
  },
  /** So many bytes of a file from a byte on, or those that are left; undefined where the file is gone, or another by now. */
  async readAt(file: ImportFile, offset: number, bytes: number): Promise<Uint8Array | undefined> {
    const { key: Key, versionId: VersionId, eTag } = file;
    const Range = `bytes=${offset}-${Math.min(file.bytes, offset + bytes) - 1}`;
    // The version of a bucket that no longer keeps them (`null`) may be another by now.
    const asked = { Bucket: bucket, Key, Range, VersionId, IfMatch: eTag };
    const found = await orGone(client.send(new GetObjectCommand(asked)));
    return found?.Body?.transformToByteArray();
  },
  /** Keeps refused lines; again it does no harm. */
  async keepPart(importId: string, part: number, text: string): Promise<void> {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: partKey(importId, part), Body: text }));
  },
  /** Undefined where it is gone: deleted, or its days are over. */
  async part(importId: string, part: number): Promise<string | undefined> {
    const asked = new GetObjectCommand({ Bucket: bucket, Key: partKey(importId, part) });
    return (await orGone(client.send(asked)))?.Body?.transformToString();
  },
  /** Writes the report of a file beside it, as it comes. */
  async writeReport({ key }: ImportFile, text: AsyncIterable<string>): Promise<void> {
    const Body = Readable.from(text);
    const ContentType = 'application/json';
    await new Upload({ client, params: { Bucket: bucket, Key: reportKey(key), Body, ContentType } }).done();
  },
});

/** The files of imports, and what is told of them. */
export const importFiles = defineStore({ name: 'importFiles', client: s3, permissions: { run } });
