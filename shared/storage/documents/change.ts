import { CopyObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { buckets } from '../../contract/buckets.ts';
import { movedKey } from '../../domain/documents/moved-key.ts';
import { listObjects } from './objects.ts';
import { removeObject, versionsBelow } from './versions.ts';

const prefix = buckets.documents.documents;

const pathOf = (bucket: string, key: string): string => [bucket, ...key.split('/')].map(encodeURIComponent).join('/');

export const change = (client: S3Client, Bucket: string) => {
  const keysOf = async (uin: string): Promise<string[]> =>
    (await listObjects(client, Bucket, `${prefix}${uin}/`)).flatMap(({ Key }) => Key ?? []);

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
