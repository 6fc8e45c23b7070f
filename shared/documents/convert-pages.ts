import { ClientError } from '../domain/client-errors.ts';
import { limits, megabytes, unconvertible } from './conversion-limits.ts';
import { countPages, encodePage, encodeTiffPage, type PageImage, type Pages, readImage } from './image-codec.ts';
import { inspectImage } from './inspect-image.ts';
import { joinTiff } from './join-tiff.ts';
import { openPdf } from './pdf/pdf-engine.ts';
import { jpeg2000Picture, toPdfPicture } from './pdf/pdf-picture.ts';
import { writePdf } from './pdf/write-pdf.ts';
import type { Conversion } from './plan-document.ts';

/**
 * Opens a stored file.
 * @throws ClientError `unconvertible` or `conversionFailed`
 */
async function openPages({ stored }: Conversion, bytes: Buffer): Promise<Pages> {
  if (stored === 'pdf') return openPdf(bytes, 'page');
  if (stored === 'jpeg2000') return openPdf(writePdf([jpeg2000Picture(bytes)]), 'image');
  inspectImage(bytes, stored);
  return { count: await countPages(bytes), read: (index) => readImage(bytes, index) };
}

function wantedPages({ page, write }: Conversion, count: number): number[] {
  if (count < 1) throw unconvertible('the document has no pages');
  if (page !== undefined && page > count) {
    throw new ClientError('invalidParameter', `page must be at most ${count}, the number of pages of the document`);
  }
  if (page !== undefined) return [page - 1];
  const max = write === 'pdf' ? limits.pagesToPdf : limits.pagesToImages;
  if (count > max) {
    const hint =
      write === 'pdf' ? 'request the document in its stored format' : 'request pdf, or single pages with page=1 …';
    throw unconvertible(`the document has ${count} pages, but at most ${max} can be converted to ${write}: ${hint}`);
  }
  return Array.from({ length: count }, (_, index) => index);
}

/** Converts one page at a time, so that memory contains only one decoded page, and checks the total size. */
async function eachPage<Made>(
  conversion: Conversion,
  pages: Pages,
  onPage: () => void,
  make: (page: PageImage) => Promise<Made>,
  bytesOf: (made: Made) => number,
): Promise<Made[]> {
  const all: Made[] = [];
  let total = 0;
  for (const index of wantedPages(conversion, pages.count)) {
    onPage();
    const page = await pages.read(index);
    const made = await make(page);
    page.release?.();
    total += bytesOf(made);
    if (total > limits.outputBytes) {
      const limit = megabytes(limits.outputBytes);
      throw unconvertible(`the document exceeds ${limit} as ${conversion.write}: request another format`);
    }
    all.push(made);
  }
  return all;
}

async function write(conversion: Conversion, pages: Pages, onPage: () => void): Promise<Buffer[]> {
  const { write: format } = conversion;
  const length = (made: Uint8Array): number => made.length;
  if (format === 'pdf') {
    return [writePdf(await eachPage(conversion, pages, onPage, toPdfPicture, ({ data }) => data.length))];
  }
  if (format === 'tiff') return [joinTiff(await eachPage(conversion, pages, onPage, encodeTiffPage, length))];
  return eachPage(conversion, pages, onPage, (page) => encodePage(page, format), length);
}

/**
 * Converts a stored file in the current process. Use `Converter` to convert in a separate process, because only ending
 * a process stops its native code.
 * @param onPage called before each page
 * @returns one file, or one file per page for image formats
 */
export async function convertPages(bytes: Buffer, conversion: Conversion, onPage: () => void): Promise<Buffer[]> {
  const pages = await openPages(conversion, bytes);
  try {
    if (conversion.stored === 'jpeg2000' && conversion.write === 'pdf') {
      // A PDF can contain a JPEG 2000 file unchanged. Decode the file only to check that it is intact.
      wantedPages(conversion, pages.count);
      await pages.read(0);
      return [writePdf([jpeg2000Picture(bytes)])];
    }
    return await write(conversion, pages, onPage);
  } finally {
    await pages.close?.();
  }
}
