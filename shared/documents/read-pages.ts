import type { Deadline } from './deadline.ts';
import { countPages, type PageImage, rasterImage, readImage } from './image-codec.ts';
import { jpeg2000Picture } from './jpeg2000.ts';
import { openPdf } from './pdf-renderer.ts';
import type { Reader } from './plan-document.ts';
import { writePdf } from './write-pdf.ts';

/** A stored file as a row of pages. Its owner must close it. */
export interface Pages {
  readonly count: number;
  /** A page, from 0. */
  read(index: number): Promise<PageImage>;
  close(): Promise<void>;
}

async function pdfPages(bytes: Uint8Array, deadline: Deadline, as: 'page' | 'image'): Promise<Pages> {
  const pdf = await openPdf(bytes, deadline);
  return {
    count: pdf.pageCount,
    read: async (index) => rasterImage(await pdf.page(index, as)),
    close: pdf.close,
  };
}

const readers: Readonly<Record<Reader, (bytes: Uint8Array, deadline: Deadline) => Promise<Pages>>> = {
  pdf: (bytes, deadline) => pdfPages(bytes, deadline, 'page'),
  jpeg2000: async (bytes, deadline) => pdfPages(writePdf([jpeg2000Picture(bytes)]), deadline, 'image'),
  image: async (bytes, deadline) => ({
    count: await countPages(bytes, deadline),
    read: (index) => readImage(bytes, index, deadline),
    close: async () => {},
  }),
};

/** Opens a stored file for the reader that the plan names. @throws Refusal `unconvertible` or `conversionFailed` */
export const openPages = (reader: Reader, bytes: Uint8Array, deadline: Deadline): Promise<Pages> =>
  readers[reader](bytes, deadline);
