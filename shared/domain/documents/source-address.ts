import { createHash } from 'node:crypto';

/** A document as it is stored now. */
export interface Source {
  readonly key: string;
  readonly etag: string;
}

/** Where all is kept that was ever made of what is stored under a name: no UIN stands in it, and it is short however long that is. */
export const sourceFolder = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Where that is kept which was made of what is stored there now. */
export const sourceAddress = ({ key, etag }: Source): string => `${sourceFolder(key)}/${etag.replace(/[^\w-]/g, '')}`;
