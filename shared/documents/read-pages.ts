import { countPages, type PageImage, rasterImage, readImage } from './image-codec.ts';
import { inspectImage } from './inspect-image.ts';
import { jpeg2000Picture } from './jpeg2000.ts';
import { openPdf } from './pdf/pdf-engine.ts';
import { writePdf } from './pdf/write-pdf.ts';
import type { Conversion, Reader } from './plan-document.ts';

/** A stored file as a row of pages. Its owner must close it. */
export interface Pages {
  readonly count: number;
  /** A page, from 0. */
  read(index: number): Promise<PageImage>;
  close(): Promise<void>;
}

async function pdfPages(bytes: Buffer, as: 'page' | 'image'): Promise<Pages> {
  const pdf = await openPdf(bytes);
  return {
    count: pdf.pageCount,
    read: async (index) => rasterImage(await pdf.page(index, as)),
    close: pdf.close,
  };
}

const readers: Readonly<Record<Reader, (bytes: Buffer, stored: Conversion['stored']) => Promise<Pages>>> = {
  pdf: (bytes) => pdfPages(bytes, 'page'),
  jpeg2000: async (bytes) => pdfPages(writePdf([jpeg2000Picture(bytes)]), 'image'),
  async image(bytes, stored) {
    inspectImage(bytes, stored);
    return {
      count: await countPages(bytes),
      read: (index) => readImage(bytes, index),
      close: async () => {},
    };
  },
};

/** Opens a stored file for the reader that the plan names. @throws Refusal `unconvertible` or `conversionFailed` */
export const openPages = ({ read, stored }: Conversion, bytes: Buffer): Promise<Pages> => readers[read](bytes, stored);
