import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { openDocuments } from '../harness/document-client.ts';
import { makeDocuments, rejectedFiles, scannedPdf } from '../harness/document-files.ts';
import { canReadPdf, inkShareOf, readPdf } from '../harness/independent-readers.ts';
import { useWorld } from '../harness/no-internal-errors.ts';
import { encryptedPdf, filledForm, textPdf } from '../harness/pdf-files.ts';

const world = await useWorld();
const documents = openDocuments(world);

type Size = readonly [width: number, height: number];
interface Case {
  readonly file: Buffer;
  readonly is: string;
  /** The width and height in pixels of the image of each page. */
  readonly pages: readonly Size[];
}

const made = await makeDocuments();
const picture: Size = [240, 160];
// The size in pixels of an A4 page at 200 dots per inch.
const sheet: Size = [1653, 2339];
const cases: Readonly<Record<string, Case>> = {
  'a PDF of text': { file: textPdf(), is: 'pdf', pages: [sheet] },
  'a PDF of five pages': { file: textPdf(5), is: 'pdf', pages: [sheet, sheet, sheet, sheet, sheet] },
  'a scanned PDF': { file: await scannedPdf(1, 620, 877), is: 'pdf', pages: [[827, 1169]] },
  'a JPEG': { file: made.jpeg, is: 'jpeg', pages: [picture] },
  'a JPEG on its side': { file: made.rotatedJpeg, is: 'jpeg', pages: [[160, 240]] },
  'a CMYK JPEG': { file: made.cmykJpeg, is: 'jpeg', pages: [picture] },
  'a grey JPEG': { file: made.greyJpeg, is: 'jpeg', pages: [picture] },
  'a PNG of 16 bits with alpha': { file: made.png, is: 'png', pages: [picture] },
  'a fax of three sizes': {
    file: made.fax,
    is: 'tiff',
    pages: [
      [400, 560],
      [560, 400],
      [201, 99],
    ],
  },
  'a WebP': { file: made.webp, is: 'webp', pages: [picture] },
  'an animated GIF': { file: made.gif, is: 'gif', pages: [picture] },
  'a JPEG 2000': { file: made.jpeg2000, is: 'jpeg2000', pages: [[48, 32]] },
};

const mediaTypes = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp' } as const;

async function store(name: string, place = 'birth/-/certificate'): Promise<string> {
  const uin = await documents.newPerson();
  await documents.put(uin, place, cases[name]?.file ?? Buffer.alloc(0));
  return uin;
}

describe.each(Object.keys(cases))('%s', async (name) => {
  const { file, is, pages } = cases[name] as Case;
  const uin = await store(name);
  const get = (format: string) => documents.get(uin, { doctype: 'birth', format });

  test.each(['jpeg', 'png', 'webp'] as const)('all pages of the document are returned as %s', async (format) => {
    const { status, headers, bytes, parts } = await get(format);
    expect(status).toBe(200);
    if (is === format) return expect(bytes.equals(file)).toBe(true);
    expect(headers.get('content-type')).toMatch(pages.length > 1 ? /^multipart\/mixed/ : mediaTypes[format]);
    const read = parts.map(async (part) => {
      expect(part.headers['content-type']).toBe(mediaTypes[format]);
      const { width, height, format: found, depth } = await sharp(part.bytes).metadata();
      expect({ found, depth }).toEqual({ found: format, depth: 'uchar' });
      await sharp(part.bytes, { failOn: 'warning' }).raw().toBuffer();
      return [width, height];
    });
    expect(await Promise.all(read)).toEqual(pages);
  });

  test('the document is returned as one TIFF file with all pages', async () => {
    const { status, headers, bytes } = await get('tiff');
    expect([status, headers.get('content-type')]).toEqual([200, 'image/tiff']);
    if (is === 'tiff') return expect(bytes.equals(file)).toBe(true);
    expect((await sharp(bytes).metadata()).pages).toBe(pages.length);
    for (const [page, size] of pages.entries()) {
      const { width, height } = await sharp(bytes, { page }).metadata();
      expect([width, height]).toEqual(size);
      await sharp(bytes, { page, failOn: 'warning' }).raw().toBuffer();
    }
  });

  test.skipIf(!canReadPdf)(
    'the document is returned as one valid PDF file with all pages, none of them blank',
    async () => {
      const { status, headers, bytes } = await get('pdf');
      expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
      if (is === 'pdf') expect(bytes.equals(file)).toBe(true);
      const rendered = await readPdf(bytes);
      expect(rendered).toHaveLength(pages.length);
      for (const [index, { width, height, inkShare }] of rendered.entries()) {
        const [wide, high] = pages[index] ?? [1, 1];
        expect(width / height).toBeCloseTo(wide / high, 1);
        expect(inkShare).toBeGreaterThan(0.001);
      }
    },
  );
});

describe('documents in responses:', () => {
  test('a document with several pages is returned as one image per page, in order, each with its own headers', async () => {
    const uin = await store('a PDF of five pages', 'marriage/-/deed');
    const { parts } = await documents.get(uin, { doctype: 'marriage', format: 'png' });
    expect(parts.map(({ headers }) => headers)).toEqual(
      parts.map(({ bytes }, index) => ({
        'content-type': 'image/png',
        'content-length': String(bytes.length),
        'content-disposition': `attachment; name="documents"; filename="marriage-${index + 1}.png"`,
      })),
    );
    expect(new Set(parts.map(({ bytes }) => bytes.toString('base64'))).size).toBe(5);
    for (const { bytes } of parts) expect(await inkShareOf(bytes)).toBeGreaterThan(0.001);
  });

  test('`page` selects one page, and the response body is the same as that part of the multipart response', async () => {
    const uin = await store('a PDF of five pages');
    const all = await documents.get(uin, { doctype: 'birth', format: 'jpeg' });
    const third = await documents.get(uin, { doctype: 'birth', format: 'jpeg', page: '3' });
    expect(third.headers.get('content-type')).toBe('image/jpeg');
    expect(third.bytes.equals(all.parts[2]?.bytes ?? Buffer.alloc(0))).toBe(true);
    const sixth = await documents.get(uin, { doctype: 'birth', format: 'jpeg', page: '6' });
    expect([sixth.status, sixth.error.message]).toEqual([400, expect.stringContaining('page must be at most 5')]);
  });

  test('a converted PDF form shows the values of its fields', async () => {
    const uin = await documents.newPerson();
    await documents.put(uin, 'birth/-/form', filledForm());
    const { bytes } = await documents.get(uin, { doctype: 'birth', format: 'png' });
    const field = await sharp(bytes).extract({ left: 222, top: 561, width: 1167, height: 111 }).png().toBuffer();
    expect(
      await sharp(field)
        .greyscale()
        .stats()
        .then(({ channels }) => channels[0]?.min),
    ).toBeLessThan(60);
  });
});

test.each([
  ['heic', rejectedFiles.heic, 'stored as heic'],
  ['encrypted', encryptedPdf, 'protected by a password'],
  ['corrupt', Buffer.from('%PDF-1.7\nnothing else'), 'damaged'],
])('a request for an unsupported document (%s) returns 415 and the reason', async (_what, file, reason) => {
  const uin = await documents.newPerson();
  await documents.put(uin, 'birth/-/certificate', file);
  const { status, headers, error } = await documents.get(uin, { doctype: 'birth', format: 'png' });
  expect([status, headers.get('content-type')]).toEqual([415, 'application/json']);
  expect(error).toEqual({ code: 1416, message: expect.stringContaining(reason) });
});
