import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { damagedDocument, limits, tooManyPixels } from '../conversion-limits.ts';
import { checkDecodes, encodeJpeg, finish, type PageImage } from '../image-codec.ts';
import type { PdfPicture } from './write-pdf.ts';

// The SIZ marker directly follows the start of the codestream (ISO/IEC 15444-1, A.5.1).
const codestreamStart = Buffer.from([0xff, 0x4f, 0xff, 0x51]);

/**
 * Creates a PDF picture that contains the JPEG 2000 file unchanged.
 * @throws ClientError `unconvertible` if its size is unusable
 */
export function jpeg2000Picture(file: Buffer): PdfPicture {
  const start = file.indexOf(codestreamStart);
  if (start < 0 || start + 24 > file.length) throw damagedDocument();
  const [right, bottom, left, top] = [8, 12, 16, 20].map((at) => file.readUInt32BE(start + at));
  const width = (right ?? 0) - (left ?? 0);
  const height = (bottom ?? 0) - (top ?? 0);
  if (width < 1 || height < 1) throw damagedDocument();
  if (width * height > limits.renderPixels) throw tooManyPixels(limits.renderPixels);
  // The colour space is part of the JPEG 2000 file (ISO 32000-1, 7.4.9).
  return { width, height, dpi: undefined, coding: '/Filter/JPXDecode', data: file };
}

const compress = promisify(deflate);

/** Packs pixels into bits. Each row is padded to a whole byte, and white is 1. */
function packBits(grey: Uint8Array, width: number, height: number): Uint8Array {
  const rowBytes = Math.ceil(width / 8);
  const packed = new Uint8Array(rowBytes * height);
  for (let y = 0, from = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, from += 1) {
      const at = y * rowBytes + (x >> 3);
      if ((grey[from] ?? 0) >= 128) packed[at] = (packed[at] ?? 0) | (0x80 >> (x & 7));
    }
  }
  return packed;
}

/**
 * Converts a page to a PDF picture: JPEG files unchanged, black-and-white pages lossless, all other pages as
 * high-quality JPEG.
 */
export async function toPdfPicture(page: PageImage): Promise<PdfPicture> {
  const { width, height, dpi, jpeg } = page;
  const colours = page.isGrey ? '/DeviceGray' : '/DeviceRGB';
  const coding = `/ColorSpace${colours}/BitsPerComponent 8/Filter/DCTDecode`;
  if (jpeg !== undefined) {
    await checkDecodes(page);
    return { width, height, dpi, coding, data: jpeg };
  }
  if (page.isBilevel) {
    const pixels = await finish(page.decode().toColourspace('b-w').raw());
    const data = await compress(packBits(pixels, width, height));
    return { width, height, dpi, coding: '/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/FlateDecode', data };
  }
  const fine = { quality: limits.pdfJpegQuality, chromaSubsampling: '4:4:4' } as const;
  return { width, height, dpi, coding, data: await encodeJpeg(page, fine) };
}
