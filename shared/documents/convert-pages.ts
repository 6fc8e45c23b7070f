import { Refusal } from '../model/refusals.ts';
import { encodePage, encodeTiffPage, type PageImage } from './image-codec.ts';
import { joinTiff } from './join-tiff.ts';
import { jpeg2000Picture } from './jpeg2000.ts';
import { limits } from './limits.ts';
import { pictureOf } from './pdf/pdf-picture.ts';
import { writePdf } from './pdf/write-pdf.ts';
import type { Conversion } from './plan-document.ts';
import { openPages, type Pages } from './read-pages.ts';

const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;

/** The numbers of the pages that are wanted, from 0. */
function wantedPages({ page, write }: Conversion, count: number): number[] {
  if (count < 1) throw new Refusal('unconvertible', 'the document has no pages');
  if (page !== undefined && page > count) {
    throw new Refusal('invalidParameter', `page must be at most ${count}, the number of pages of the document`);
  }
  if (page !== undefined) return [page - 1];
  const most = write === 'pdf' ? limits.pagesToPdf : limits.pagesToImages;
  if (count > most) {
    const mend =
      write === 'pdf' ? 'ask for the format it is stored in' : 'ask for pdf, or for single pages with page=1 …';
    throw new Refusal(
      'unconvertible',
      `the document has ${count} pages, ${most} can be converted to ${write}: ${mend}`,
    );
  }
  return Array.from({ length: count }, (_, index) => index);
}

/** Does one thing for each page in turn, so that no more than one is decoded at a time, and adds up what it makes. */
async function eachPage<Made>(
  conversion: Conversion,
  pages: Pages,
  make: (page: PageImage) => Promise<Made>,
  bytesOf: (made: Made) => number,
): Promise<Made[]> {
  const all: Made[] = [];
  let total = 0;
  for (const index of wantedPages(conversion, pages.count)) {
    const page = await pages.read(index);
    const made = await make(page);
    page.release?.();
    total += bytesOf(made);
    if (total > limits.outputBytes) {
      const limit = megabytes(limits.outputBytes);
      throw new Refusal(
        'unconvertible',
        `the document is over ${limit} as ${conversion.write}: ask for another format`,
      );
    }
    all.push(made);
  }
  return all;
}

async function write(conversion: Conversion, pages: Pages): Promise<Buffer[]> {
  const { write: format } = conversion;
  const length = (made: Uint8Array): number => made.length;
  if (format === 'pdf') {
    return [writePdf(await eachPage(conversion, pages, pictureOf, ({ data }) => data.length))];
  }
  if (format === 'tiff') return [joinTiff(await eachPage(conversion, pages, encodeTiffPage, length))];
  return eachPage(conversion, pages, (page) => encodePage(page, format), length);
}

/**
 * Converts a stored file as planned, in the process that it is called in: however long it takes, and with native code that
 * nothing but the end of the process ends for certain. `Converter` is the way to call it from outside.
 * @param onPage hears of each page before it is read
 * @returns one file, or one for each page where the format holds one page
 */
export async function convertPages(bytes: Buffer, conversion: Conversion, onPage: () => void): Promise<Buffer[]> {
  const pages = await openPages(conversion, bytes);
  const told: Pages = {
    ...pages,
    read: (index) => {
      onPage();
      return pages.read(index);
    },
  };
  try {
    if (conversion.read === 'jpeg2000' && conversion.write === 'pdf') {
      // It goes into the PDF as it is, once the engine has shown that it can be decoded.
      wantedPages(conversion, pages.count);
      await pages.read(0);
      return [writePdf([jpeg2000Picture(bytes)])];
    }
    return await write(conversion, told);
  } finally {
    await pages.close();
  }
}
