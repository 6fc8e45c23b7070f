import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { joinTiff } from '../../shared/documents/join-tiff.ts';
import { limits } from '../../shared/documents/limits.ts';
import type { Format } from '../../shared/domain/documents/document-format.ts';
import { conversionOf, useConverter } from '../harness/converter.ts';
import { makeDocuments, scan, scannedPdf } from '../harness/document-files.ts';
import { readPdf } from '../harness/independent-readers.ts';
import { pageOf, textPdf } from '../harness/pdf-files.ts';
import { refusalOf } from '../support/refused.ts';

const converter = useConverter();
const convert = converter.files;
const made = await makeDocuments();
const only = ([file]: readonly Buffer[]): Buffer => file ?? Buffer.alloc(0);
const raw = (file: Buffer, page = 0) => sharp(file, { page }).greyscale().raw().toBuffer();

describe('what must not be lost', () => {
  test('a JPEG is in the PDF byte for byte; one on its side is not', async () => {
    expect(only(await convert(made.jpeg, 'pdf')).includes(made.jpeg)).toBe(true);
    expect(only(await convert(made.greyJpeg, 'pdf')).includes(made.greyJpeg)).toBe(true);
    expect(only(await convert(made.rotatedJpeg, 'pdf')).includes(made.rotatedJpeg)).toBe(false);
    expect(only(await convert(made.cmykJpeg, 'pdf')).includes(made.cmykJpeg)).toBe(false);
    expect(only(await convert(made.jpeg2000, 'pdf')).includes(made.jpeg2000)).toBe(true);
  });

  test('black and white stays so: a fax is the same in its PDF, pixel by pixel', async () => {
    const pdf = only(await convert(made.fax, 'pdf'));
    for (const [page, png] of (await convert(pdf, 'png')).entries()) {
      expect((await raw(png)).equals(await raw(made.fax, page)), `page ${page + 1}`).toBe(true);
    }
  });

  test('lossless images are lossless as PNG and TIFF', async () => {
    const png = await scan(90, 70).png().toBuffer();
    const tiff = only(await convert(png, 'tiff'));
    expect((await sharp(tiff).raw().toBuffer()).equals(await sharp(png).raw().toBuffer())).toBe(true);
    const back = only(await convert(tiff, 'png'));
    expect((await sharp(back).raw().toBuffer()).equals(await sharp(png).raw().toBuffer())).toBe(true);
  });

  test('a page keeps its size: 200 dots per inch are 8 inches on 1600', async () => {
    const png = await scan(1600, 800).withMetadata({ density: 200 }).png().toBuffer();
    const [page] = (await readPdf(only(await convert(png, 'pdf')))) ?? [{ width: 576, height: 288 }];
    expect([page?.width, page?.height]).toEqual([576, 288]);
  });

  test('without a resolution, an image is as large as fits on A4', async () => {
    const [page] = (await readPdf(only(await convert(await scan(3000, 1000).png().toBuffer(), 'pdf')))) ?? [];
    expect([page?.width ?? 842, page?.height ?? 281]).toEqual([842, 281]);
  });
});

describe('the limits', () => {
  test('a page that would be too large is rendered smaller, and whole', async () => {
    const wide = pageOf('0 0 14400 1440 re f', '', [], '[0 0 14400 1440]');
    const { width, height } = await sharp(only(await convert(wide, 'png'))).metadata();
    expect(width * height).toBeLessThanOrEqual(limits.renderPixels * 1.001);
    expect(width / height).toBeCloseTo(10, 1);
  });

  test.each([
    [20, 'png', 20],
    [50, 'pdf', 1],
  ] as const)('%i pages are converted to %s', async (pages, asked, files) => {
    const source = asked === 'pdf' ? await fax(pages) : textPdf(pages);
    expect(await convert(source, asked)).toHaveLength(files);
  });

  test.each([
    [21, 'png', 'page=1'],
    [21, 'tiff', 'ask for pdf'],
    [51, 'pdf', 'the format it is stored in'],
  ] as const)('%i pages are not converted to %s, and nothing is left out silently', async (pages, asked, mend) => {
    const source = asked === 'pdf' ? await fax(pages) : textPdf(pages);
    const refusal = await refusalOf(() => convert(source, asked));
    expect([refusal.refusal, refusal.message]).toEqual(['unconvertible', expect.stringContaining(mend)]);
  });

  test('one page of many may be asked for', async () => {
    const file = textPdf(300);
    expect(await converter.convert(file, conversionOf(file, 'jpeg', 300))).toHaveLength(1);
  });
});

describe('the deadline', () => {
  test.each<Format>(['jpeg', 'tiff'])('ends a conversion to %s, and the next one is not hurt', async (asked) => {
    const pdf = await scannedPdf(1, 300, 400);
    const refusal = await refusalOf(() => convert(pdf, asked, 1));
    expect(refusal.refusal).toBe('conversionFailed');
    expect(await convert(pdf, asked)).toHaveLength(1);
  });

  test('many at once take their turn', async () => {
    const files = await Promise.all([1, 2, 3, 4, 5].map((pages) => convert(textPdf(pages), 'jpeg')));
    expect(files.map((pages) => pages.length)).toEqual([1, 2, 3, 4, 5]);
  });
});

/** A black-and-white TIFF of so many pages. */
async function fax(pages: number): Promise<Buffer> {
  const page = await sharp(made.fax, { page: 2 }).toColourspace('b-w').tiff({ bitdepth: 1 }).toBuffer();
  return joinTiff(Array.from({ length: pages }, () => Buffer.from(page)));
}
