import type { Format } from '../domain/documents/document-format.ts';
import type { StoredFormat } from './detect-format.ts';

/** How pages are taken out of the stored file: rendered, decoded, or (JPEG 2000) decoded by the PDF engine. */
export type Reader = 'pdf' | 'image' | 'jpeg2000';

export interface Conversion {
  readonly is: 'conversion';
  readonly stored: StoredFormat;
  readonly read: Reader;
  readonly write: Format;
  /** The one page that is wanted, from 1; all pages when left out. */
  readonly page: number | undefined;
}

type Plan = Conversion | { readonly is: 'untouched' } | PlanRefused;

interface PlanRefused {
  readonly is: 'refused';
  readonly refusal: 'unconvertible' | 'invalidParameter';
  readonly reason: string;
}

const refused = (refusal: PlanRefused['refusal'], reason: string): PlanRefused => ({ is: 'refused', refusal, reason });

const readers: Partial<Record<StoredFormat, Reader>> = {
  pdf: 'pdf',
  jpeg: 'image',
  png: 'image',
  tiff: 'image',
  webp: 'image',
  gif: 'image',
  jpeg2000: 'jpeg2000',
};

/** Pages of a file that leaves as it is cannot be taken out of it; of a TIFF they can. */
function planUntouched(stored: StoredFormat, page: number | undefined): Plan {
  if (page === undefined || (stored !== 'pdf' && page === 1)) return { is: 'untouched' };
  if (stored === 'pdf') return refused('invalidParameter', 'page picks a page as an image: leave it out for pdf');
  return refused('invalidParameter', 'page must be 1: the document has one page');
}

/**
 * Decides how a stored file becomes the format asked for.
 * @param page the one page that is wanted, from 1
 */
export function planDocument(stored: StoredFormat, asked: Format, page?: number): Plan {
  if (stored === asked && (page === undefined || stored !== 'tiff')) return planUntouched(stored, page);
  const read = readers[stored];
  if (read !== undefined) return { is: 'conversion', stored, read, write: asked, page };
  const what = stored === 'unknown' ? 'in no format that this registry knows' : `stored as ${stored}`;
  return refused('unconvertible', `the document is ${what} and cannot be converted to ${asked}`);
}
