import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { limits } from '../../shared/documents/conversion-limits.ts';
import { joinTiff } from '../../shared/documents/join-tiff.ts';
import type { Format } from '../../shared/domain/documents/document-format.ts';
import { clientErrorOf } from '../harness/client-error.ts';
import { conversionOf, useConverter } from '../harness/converter.ts';
import { makeDocuments, scan, scannedPdf } from '../harness/document-files.ts';
import { canReadPdf, readPdf } from '../harness/independent-readers.ts';
import { pageOf, textPdf } from '../harness/pdf-files.ts';

const converter = useConverter();
const convert = converter.files;
const made = await makeDocuments();
const only = ([file]: readonly Buffer[]): Buffer => file ?? Buffer.alloc(0);
const raw = (file: Buffer, page = 0) => sharp(file, { page }).greyscale().raw().toBuffer();

describe('lossless conversion', () => {
  test('a PDF contains an upright JPEG unchanged, but a rotated JPEG is re-encoded', async () => {
    expect(only(await convert(made.jpeg, 'pdf')).includes(made.jpeg)).toBe(true);
    expect(only(await convert(made.greyJpeg, 'pdf')).includes(made.greyJpeg)).toBe(true);
    expect(only(await convert(made.rotatedJpeg, 'pdf')).includes(made.rotatedJpeg)).toBe(false);
    expect(only(await convert(made.cmykJpeg, 'pdf')).includes(made.cmykJpeg)).toBe(false);
    expect(only(await convert(made.jpeg2000, 'pdf')).includes(made.jpeg2000)).toBe(true);
  });

  test('a PDF keeps every pixel of a black-and-white fax', async () => {
    const pdf = only(await convert(made.fax, 'pdf'));
    for (const [page, png] of (await convert(pdf, 'png')).entries()) {
      expect((await raw(png)).equals(await raw(made.fax, page)), `page ${page + 1}`).toBe(true);
    }
  });

  test('a lossless image keeps every pixel when it is converted between PNG and TIFF', async () => {
    const png = await scan(90, 70).png().toBuffer();
    const tiff = only(await convert(png, 'tiff'));
    expect((await sharp(tiff).raw().toBuffer()).equals(await sharp(png).raw().toBuffer())).toBe(true);
    const back = only(await convert(tiff, 'png'));
    expect((await sharp(back).raw().toBuffer()).equals(await sharp(png).raw().toBuffer())).toBe(true);
  });

  test.skipIf(!canReadPdf)(
    'a page keeps its size: an image 1,600 pixels wide at 200 dots per inch becomes a page 8 inches wide',
    async () => {
      const png = await scan(1600, 800).withMetadata({ density: 200 }).png().toBuffer();
      expect(await readPdf(only(await convert(png, 'pdf')))).toMatchObject([{ width: 576, height: 288 }]);
    },
  );

  test.skipIf(!canReadPdf)('an image that states no resolution is scaled to an A4 page', async () => {
    const png = await scan(3000, 1000).png().toBuffer();
    expect(await readPdf(only(await convert(png, 'pdf')))).toMatchObject([{ width: 842, height: 281 }]);
  });
});

describe('a picture', () => {
  test('a transparent picture is drawn on a white background', async () => {
    const background = '#00000000';
    const glass = sharp({ create: { width: 9, height: 9, channels: 4, background } });
    const results = [
      await convert(await glass.png().toBuffer(), 'jpeg'),
      await convert(await glass.webp().toBuffer(), 'tiff'),
    ];
    for (const result of results) expect(Math.min(...(await raw(only(result))))).toBeGreaterThan(250);
  });

  const codestream = made.jpeg2000.indexOf(Buffer.from([0xff, 0x4f, 0xff, 0x51]));
  test.each([
    ['JPEG', made.jpeg.subarray(0, made.jpeg.length / 2)],
    ['JPEG 2000', made.jpeg2000.subarray(0, codestream + 10)],
  ])('a truncated %s is rejected instead of being embedded in a PDF', async (_, file) => {
    const outcome = await converter.outcome(file, 'pdf');
    expect(outcome).toEqual({ is: 'refused', refusal: 'unconvertible', message: expect.stringContaining('damaged') });
  });
});

test('an oversized page is rendered completely but at a lower resolution', async () => {
  const wide = pageOf('0 0 14400 1440 re f', '', [], '[0 0 14400 1440]');
  const { width, height } = await sharp(only(await convert(wide, 'png'))).metadata();
  expect(width * height).toBeLessThanOrEqual(limits.renderPixels * 1.001);
  expect(width / height).toBeCloseTo(10, 1);
});

test.each([
  [20, 'png', 20],
  [50, 'pdf', 1],
] as const)('the limits allow the conversion of %i pages to %s', async (pages, format, files) => {
  const source = format === 'pdf' ? await fax(pages) : textPdf(pages);
  expect(await convert(source, format)).toHaveLength(files);
});

test.each([
  [21, 'png', 'page=1'],
  [21, 'tiff', 'request pdf'],
  [51, 'pdf', 'in its stored format'],
] as const)(
  'the limits reject the conversion of %i pages to %s, so that no pages are omitted',
  async (pages, format, mend) => {
    const source = format === 'pdf' ? await fax(pages) : textPdf(pages);
    const refusal = await clientErrorOf(() => convert(source, format));
    expect([refusal.errorName, refusal.message]).toEqual(['unconvertible', expect.stringContaining(mend)]);
  },
);

test('the limits allow the conversion of one page from a document with 300 pages', async () => {
  const file = textPdf(300);
  expect(await converter.convert(file, conversionOf(file, 'jpeg', 300))).toHaveLength(1);
});

describe('the time limit', () => {
  test.each<Format>(['jpeg', 'tiff'])(
    'the time limit stops a conversion to %s without affecting the next conversion',
    async (format) => {
      const pdf = await scannedPdf(1, 300, 400);
      const refusal = await clientErrorOf(() => convert(pdf, format, 1));
      expect(refusal.errorName).toBe('conversionFailed');
      expect(await convert(pdf, format)).toHaveLength(1);
    },
  );

  test('concurrent conversions run one after the other', async () => {
    const files = await Promise.all([1, 2, 3, 4, 5].map((pages) => convert(textPdf(pages), 'jpeg')));
    expect(files.map((pages) => pages.length)).toEqual([1, 2, 3, 4, 5]);
  });
});

/** Creates a black-and-white TIFF with the given number of pages. */
async function fax(pages: number): Promise<Buffer> {
  const page = await sharp(made.fax, { page: 2 }).toColourspace('b-w').tiff({ bitdepth: 1 }).toBuffer();
  return joinTiff(Array.from({ length: pages }, () => Buffer.from(page)));
}
