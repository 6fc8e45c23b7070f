import type { Format } from '../domain/documents/document-format.ts';
import type { StoredFormat } from './detect-format.ts';

export type Reader = 'pdf' | 'image' | 'jpeg2000';

export interface Conversion {
  readonly is: 'conversion';
  readonly stored: StoredFormat;
  readonly read: Reader;
  readonly write: Format;
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

/** Plans a reply without conversion. No page of an unconverted file can be selected, except page 1 of an image. */
function planUntouched(stored: StoredFormat, page: number | undefined): Plan {
  if (page === undefined || (stored !== 'pdf' && page === 1)) return { is: 'untouched' };
  if (stored === 'pdf') return refused('invalidParameter', 'page applies only to image formats: omit it for pdf');
  return refused('invalidParameter', 'page must be 1: the document has one page');
}

/** Decides how to convert a stored file to the requested format. @param page the requested page, from 1 */
export function planDocument(stored: StoredFormat, wanted: Format, page?: number): Plan {
  if (stored === wanted && (page === undefined || stored !== 'tiff')) return planUntouched(stored, page);
  const read = readers[stored];
  if (read !== undefined) return { is: 'conversion', stored, read, write: wanted, page };
  const what = stored === 'unknown' ? 'in an unknown format' : `stored as ${stored}`;
  return refused('unconvertible', `the document is ${what} and cannot be converted to ${wanted}`);
}
