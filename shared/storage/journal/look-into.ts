import { paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';

/** What a folder holds, by name: its folders (`2026/11/`), and the objects that lie in it themselves. */
export interface Folder {
  readonly folders: readonly string[];
  readonly names: readonly string[];
}

/** Looks into the folders below a prefix; all that is given and answered comes after that. */
export const lookInto =
  (client: S3Client, bucket: string, prefix: string) =>
  async (folder: string): Promise<Folder> => {
    const asked = { Bucket: bucket, Prefix: `${prefix}${folder}`, Delimiter: '/' };
    const pages = await Array.fromAsync(paginateListObjectsV2({ client }, asked));
    const after = (key = ''): string => key.slice(prefix.length);
    return {
      folders: pages.flatMap(({ CommonPrefixes = [] }) => CommonPrefixes.map(({ Prefix }) => after(Prefix))),
      names: pages.flatMap(({ Contents = [] }) => Contents.map(({ Key }) => after(Key))),
    };
  };
