import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { CopyObjectCommand, GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { buckets } from '../../contract/buckets.ts';
import { movedKey } from '../../domain/documents/moved-key.ts';
import { listObjects } from './objects.ts';
import { removeObject, versionsBelow, type Which } from './versions.ts';

const prefix = buckets.documents.documents;

const pathOf = (bucket: string, key: string): string => [bucket, ...key.split('/')].map(encodeURIComponent).join('/');

export const change = (client: S3Client, Bucket: string) => {
  const keysOf = async (uin: string): Promise<string[]> =>
    (await listObjects(client, Bucket, `${prefix}${uin}/`)).flatMap(({ Key }) => Key ?? []);

  async function digestOf({ Key, VersionId }: Which): Promise<string> {
    const hash = createHash('sha256');
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
    if (Body instanceof Readable) for await (const part of Body) hash.update(part as Uint8Array);
    return hash.digest('hex');
  }

  return {
    /**
     * Removes the documents of a person in all their versions; again it goes on where it was.
     * @param onContent hears the SHA-256 of each before it goes
     */
    async removeAll(uin: string, onContent: (digest: string) => Promise<void>): Promise<void> {
      for await (const which of versionsBelow(client, Bucket, `${prefix}${uin}/`)) {
        if (which.hasContent) await onContent(await digestOf(which));
        await removeObject(client, Bucket, which);
      }
    },
    /** Makes the documents of a person another's; again it goes on where it was. Versions before the present ones stay. */
    async moveAll(from: string, to: string): Promise<void> {
      for (const Key of await keysOf(from)) {
        const target = movedKey(Key, { from, to, prefix }, await keysOf(to));
        await client.send(new CopyObjectCommand({ Bucket, Key: target, CopySource: pathOf(Bucket, Key) }));
        await removeObject(client, Bucket, { Key });
      }
    },
  };
};
