import { ClientError } from '../domain/client-errors.ts';
import type { Format } from '../domain/documents/document-format.ts';
import { unconvertible } from './conversion-errors.ts';
import type { StoredFormat } from './detect-format.ts';

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
