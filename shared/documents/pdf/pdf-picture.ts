import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { checkDecodes, encodeJpeg, finish, type PageImage } from '../image-codec.ts';
import { limits } from '../limits.ts';
import type { PdfPicture } from './write-pdf.ts';

const compress = promisify(deflate);

/** One bit for each pixel, rows padded to whole bytes; white is 1. */
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

/** A page as the picture of a PDF: a JPEG as it is, black and white without loss, anything else as a fine JPEG. */
export async function pictureOf(page: PageImage): Promise<PdfPicture> {
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
