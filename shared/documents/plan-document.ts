import { ClientError } from '../domain/client-errors.ts';
import type { Format } from '../domain/documents/document-format.ts';
import { unconvertible } from './conversion-limits.ts';

/** The number of bytes that detection needs. A PDF header may begin anywhere in the first 1,024 bytes. */
export const headBytes = 1024;

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: file formats begin with such bytes
const signatures = [
  ['jpeg', /^\xff\xd8\xff/],
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['tiff', /^(?:II[*+]\0|MM\0[*+])/],
  ['webp', /^RIFF[\s\S]{4}WEBP/],
  ['gif', /^GIF8[79]a/],
  ['jpeg2000', /^(?:\0\0\0\x0cjP {2}\r\n\x87\n|\xff\x4f\xff\x51)/],
  ['avif', /^[\s\S]{4}ftypavi[fs]/],
  ['heic', /^[\s\S]{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/],
  ['pdf', /%PDF-\d/],
  ['svg', /^(?:\xef\xbb\xbf)?\s*<(?:[\s\S]*<)?svg[\s>]/i],
] as const;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: file formats begin with such bytes

export type StoredFormat = (typeof signatures)[number][0] | 'unknown';

/** Detects the format of a file from its first bytes, because Content-Type and file names cannot be trusted. */
export function detectFormat(bytes: Uint8Array): StoredFormat {
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString('latin1');
  return signatures.find(([, signature]) => signature.test(head))?.[0] ?? 'unknown';
}

export interface Conversion {
  readonly stored: StoredFormat;
  readonly write: Format;
  readonly page: number | undefined;
}

const convertible: readonly StoredFormat[] = ['pdf', 'jpeg', 'png', 'tiff', 'webp', 'gif', 'jpeg2000'];

/** Returns whether files in a format can be converted to every other format. */
export const isConvertible = (stored: StoredFormat): boolean => convertible.includes(stored);

/** No page of an unconverted file can be selected, except page 1 of an image. */
function checkPage(stored: StoredFormat, page: number | undefined): void {
  if (page === undefined || (stored !== 'pdf' && page === 1)) return;
  const fix =
    stored === 'pdf' ? 'applies only to image formats: omit it for pdf' : 'must be 1: the document has one page';
  throw new ClientError('invalidParameter', `page ${fix}`);
}

/**
 * Decides how to convert a stored file to the requested format.
 * @param page the requested page, from 1
 * @returns undefined if the file already has the requested format
 * @throws ClientError `unconvertible` or `invalidParameter`
 */
export function planDocument(stored: StoredFormat, wanted: Format, page?: number): Conversion | undefined {
  if (stored === wanted && (page === undefined || stored !== 'tiff')) {
    checkPage(stored, page);
    return undefined;
  }
  if (isConvertible(stored)) return { stored, write: wanted, page };
  const what = stored === 'unknown' ? 'in an unknown format' : `stored as ${stored}`;
  throw unconvertible(`the document is ${what} and cannot be converted to ${wanted}`);
}
