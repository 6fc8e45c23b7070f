import { Refusal } from '../model/refusals.ts';
import { limits } from './limits.ts';
import type { PdfPicture } from './pdf/write-pdf.ts';

// The SIZ marker follows the start of the codestream at once (ISO/IEC 15444-1, A.5.1).
const codestreamStart = Buffer.from([0xff, 0x4f, 0xff, 0x51]);

/**
 * A JPEG 2000 file as the picture of a PDF, which can hold it as it is.
 * @throws Refusal `unconvertible` when it has no readable size or too many pixels
 */
export function jpeg2000Picture(bytes: Uint8Array): PdfPicture {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = file.indexOf(codestreamStart);
  if (start < 0 || start + 24 > file.length) {
    throw new Refusal('unconvertible', 'the document cannot be converted: it is damaged');
  }
  const [right, bottom, left, top] = [8, 12, 16, 20].map((at) => file.readUInt32BE(start + at));
  const width = (right ?? 0) - (left ?? 0);
  const height = (bottom ?? 0) - (top ?? 0);
  if (width < 1 || height < 1) throw new Refusal('unconvertible', 'the document cannot be converted: it is damaged');
  if (width * height > limits.renderPixels) {
    throw new Refusal('unconvertible', `the document has over ${limits.renderPixels / 1e6} megapixels on one page`);
  }
  // The colour space is in the JPEG 2000 file itself (ISO 32000-1, 7.4.9).
  return { width, height, dpi: undefined, coding: '/Filter/JPXDecode', data: bytes };
}
