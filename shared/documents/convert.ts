import { Refusal } from '../model/refusals.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { encodePage, encodeTiffPage, type PageImage } from './image-codec.ts';
import { joinTiff } from './join-tiff.ts';
import { jpeg2000Picture } from './jpeg2000.ts';
import { limits } from './limits.ts';
import { pictureOf } from './picture-of.ts';
import type { Conversion } from './plan-document.ts';
import { openPages, type Pages } from './read-pages.ts';
import { writePdf } from './write-pdf.ts';

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

async function write(conversion: Conversion, pages: Pages, deadline: Deadline): Promise<Buffer[]> {
  const { write: format } = conversion;
  const length = (made: Uint8Array): number => made.length;
  if (format === 'pdf') {
    const toPicture = (page: PageImage) => pictureOf(page, deadline);
    return [writePdf(await eachPage(conversion, pages, toPicture, ({ data }) => data.length))];
  }
  if (format === 'tiff') {
    return [joinTiff(await eachPage(conversion, pages, (page) => encodeTiffPage(page, deadline), length))];
  }
  return eachPage(conversion, pages, (page) => encodePage(page, format, deadline), length);
}

/**
 * Converts a stored file as planned. Everything is done when it answers.
 * @returns one file, or one for each page where the format holds one page
 * @throws Refusal `unconvertible` with the reason, `conversionFailed` when it ran out of time or memory, or
 *   `invalidParameter` for a page that the document lacks
 */
export async function convertDocument(
  bytes: Uint8Array,
  conversion: Conversion,
  deadline: Deadline = startDeadline(),
): Promise<Buffer[]> {
  if (bytes.length > limits.inputBytes) {
    const limit = megabytes(limits.inputBytes);
    throw new Refusal('unconvertible', `the document is over ${limit}: ask for the format that it is stored in`);
  }
  const pages = await openPages(conversion.read, bytes, deadline);
  try {
    if (conversion.read === 'jpeg2000' && conversion.write === 'pdf') {
      // It goes into the PDF as it is, once the engine has shown that it can be decoded.
      wantedPages(conversion, pages.count);
      await pages.read(0);
      return [writePdf([jpeg2000Picture(bytes)])];
    }
    return await write(conversion, pages, deadline);
  } finally {
    await pages.close();
  }
}
