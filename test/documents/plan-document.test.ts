import { describe, expect, test } from 'vitest';
import { detectFormat, planDocument, type StoredFormat } from '../../shared/documents/plan-document.ts';
import { documentFormats, type Format, readFormat } from '../../shared/domain/documents/document-format.ts';
import { clientErrorOf } from '../harness/client-error.ts';
import { makeDocuments, rejectedFiles, scan } from '../harness/document-files.ts';
import { textPdf } from '../harness/pdf-files.ts';

const allFormats = Object.keys(documentFormats) as Format[];
const rejected = (errorName: string) => expect.objectContaining({ errorName });

describe('the detected format', async () => {
  const { jpeg, png, webp, gif, jpeg2000, fax } = await makeDocuments();
  const codestream = jpeg2000.subarray(jpeg2000.indexOf(Buffer.from([0xff, 0x4f, 0xff, 0x51])));
  const bigEndianTiff = Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8]);
  test.each<[string, Uint8Array, StoredFormat]>([
    ['a JPEG', jpeg, 'jpeg'],
    ['a PNG', png, 'png'],
    ['a WebP', webp, 'webp'],
    ['a GIF', gif, 'gif'],
    ['a JPEG 2000 file', jpeg2000, 'jpeg2000'],
    ['a JPEG 2000 codestream', codestream, 'jpeg2000'],
    ['a TIFF', fax, 'tiff'],
    ['a big-endian TIFF', bigEndianTiff, 'tiff'],
    ['a PDF', textPdf(), 'pdf'],
    [
      'a PDF that starts with a line from a mail program',
      Buffer.concat([Buffer.from('X-Mail: 1\r\n'), textPdf()]),
      'pdf',
    ],
    ['a HEIC', rejectedFiles.heic, 'heic'],
    ['an AVIF', rejectedFiles.avif, 'avif'],
    ['an SVG', rejectedFiles.svg, 'svg'],
    ['an SVG without an XML declaration', Buffer.from('\n <!-- a --> <svg>'), 'svg'],
    ['an HTML page that contains a PDF header', Buffer.from(`<html>${' '.repeat(1100)}%PDF-1.7`), 'unknown'],
    ['text', rejectedFiles.text, 'unknown'],
    ['nothing', Buffer.alloc(0), 'unknown'],
  ])('the detected format is correct for %s', (_what, bytes, format) => {
    expect(detectFormat(bytes)).toBe(format);
  });

  test('detectFormat quickly reads text that repeats the first characters of XML or HTML', () => {
    for (const begin of ['<?xml', '<!--', '<!DOCTYPE', '<']) {
      expect(detectFormat(Buffer.from(begin.repeat(1000)))).toBe('unknown');
    }
  });

  test('the detected format is TIFF for both TIFF and BigTIFF files', async () => {
    expect(detectFormat(await scan(9, 9).tiff({ bigtiff: true }).toBuffer())).toBe('tiff');
  });
});

test.each(allFormats)(
  'planDocument returns a file unchanged if it is already stored in the requested format %s',
  (format) => {
    expect(planDocument(format, format)).toBeUndefined();
  },
);

test.each<StoredFormat>(['pdf', 'jpeg', 'png', 'tiff', 'webp', 'gif', 'jpeg2000'])(
  'planDocument converts %s to all other formats',
  (stored) => {
    for (const write of allFormats.filter((format) => format !== stored)) {
      expect(planDocument(stored, write)).toMatchObject({ stored, write });
    }
  },
);

test.each<StoredFormat>(['heic', 'avif', 'svg', 'unknown'])(
  'planDocument rejects a file in the format %s and gives a reason',
  (stored) => {
    expect(() => planDocument(stored, 'pdf')).toThrow(rejected('unconvertible'));
  },
);

test('planDocument extracts a TIFF page as TIFF, but rejects requests for a PDF page as PDF and for page 2 of a JPEG', () => {
  expect(planDocument('tiff', 'tiff', 2)).toMatchObject({ page: 2 });
  expect(() => planDocument('pdf', 'pdf', 1)).toThrow(rejected('invalidParameter'));
  expect(() => planDocument('jpeg', 'jpeg', 2)).toThrow(rejected('invalidParameter'));
  expect(planDocument('jpeg', 'jpeg', 1)).toBeUndefined();
});

test.each(['heic', 'gif', 'jp2', 'image/*', '', 'pdf ', 'constructor'])(
  'the unsupported format %j is rejected with a list of the supported formats',
  async (text) => {
    const refusal = await clientErrorOf(() => readFormat(text));
    expect([refusal.errorName, refusal.message]).toEqual(['unsupportedFormat', expect.stringContaining('pdf, jpeg')]);
  },
);
