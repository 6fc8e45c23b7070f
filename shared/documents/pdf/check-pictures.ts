import { unconvertible } from '../conversion-limits.ts';
import { isDecodable } from '../image-codec.ts';
import type { StoredPicture } from './page-pictures.ts';

// Two consecutive end-of-line codes end a page (ITU-T T.6, 2.4; T.4, 4.1.4).
const endOfPage = /0{11}11?0{11}1/;
const tailBytes = 24;

// No code begins with this many zeros, so a decoder that reads past the data reports an error. Without these zeros, the
// decoder would accept truncated data.
const paddingBytes = 16;

const bitsOf = (bytes: Buffer): string => Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');

/**
 * Wraps fax data in a TIFF with one strip (TIFF 6.0, section 11). Compression 4 means Group 4, and compression 3 means
 * Group 3.
 */
function tiffOf({ width, height, data }: StoredPicture, compression: 3 | 4, options: 0 | 1): Buffer {
  const fields: readonly (readonly [tag: number, value: number])[] = [
    [256, width],
    [257, height],
    [258, 1],
    [259, compression],
    [262, 0],
    [273, 8],
    [277, 1],
    [278, height],
    [279, data.length + paddingBytes],
    ...(compression === 3 ? [[292, options] as const] : []),
  ];
  const start = 8 + data.length + paddingBytes + (data.length % 2);
  const file = Buffer.alloc(start + 2 + 12 * fields.length + 4);
  file.write('II*\0', 'latin1');
  file.writeUInt32LE(start, 4);
  file.set(data, 8);
  file.writeUInt16LE(fields.length, start);
  for (const [index, [tag, value]] of fields.entries()) {
    const at = start + 2 + 12 * index;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(4, at + 2);
    file.writeUInt32LE(1, at + 4);
    file.writeUInt32LE(value, at + 8);
  }
  return file;
}

/** Returns whether fax data is complete: it has an end code, or every row can be decoded with one of the codings. */
async function isWholeFax(picture: StoredPicture): Promise<boolean> {
  if (endOfPage.test(bitsOf(picture.data.subarray(-tailBytes)))) return true;
  for (const [compression, options] of [
    [4, 0],
    [3, 0],
    [3, 1],
  ] as const) {
    if (await isDecodable(tiffOf(picture, compression, options), 'warning')) return true;
  }
  return false;
}

/** The segment types with visible content (ITU-T T.88, 7.3). */
const regions: readonly number[] = [4, 6, 7, 20, 22, 23, 36, 38, 39, 40, 42, 43];
const unknownLength = 0xffff_ffff;
const smallestHeader = 11;

/** Returns whether an embedded JBIG2 stream (ITU-T T.88, 7.2) has complete segments and visible content. */
function isWholeJbig2(data: Buffer): boolean {
  let draws = false;
  try {
    for (let at = 0; data.length - at >= smallestHeader; ) {
      const number = data.readUInt32BE(at);
      const flags = data.readUInt8(at + 4);
      const short = data.readUInt8(at + 5) >> 5;
      const isLong = short === 7;
      const references = isLong ? data.readUInt32BE(at + 5) & 0x1fff_ffff : short;
      const countBytes = isLong ? 4 + Math.ceil((references + 1) / 8) : 1;
      const referenceBytes = number <= 256 ? 1 : number <= 65_536 ? 2 : 4;
      const pageBytes = flags & 0x40 ? 4 : 1;
      const length = at + 5 + countBytes + references * referenceBytes + pageBytes;
      const bytes = data.readUInt32BE(length);
      draws ||= regions.includes(flags & 0x3f);
      // Only the last segment may have an unknown length.
      if (bytes === unknownLength) return draws;
      at = length + 4 + bytes;
      if (at > data.length) return false;
    }
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
  return draws;
}

/**
 * The number of components per pixel in each colour space (FPDF_COLORSPACE_…). Every other colour space has at least
 * one component.
 */
const components: Readonly<Record<number, number>> = { 2: 3, 3: 4, 5: 3, 6: 3 };
const iccBased = 7;

/**
 * Returns whether uncompressed pixel data is complete. The bit depth is unknown, so depths below 8 are accepted only if
 * the length matches exactly. A truncated last row is accepted, because readers do not see the difference.
 */
function areWholePixels({ width, height, bitsPerPixel, colourSpace, data }: StoredPicture): boolean {
  const numbers = components[colourSpace] ?? (colourSpace === iccBased && bitsPerPixel >= 24 ? 3 : 1);
  const row = (bits: number): number => Math.ceil((width * numbers * bits) / 8);
  const usual = bitsPerPixel === 1 ? 1 : 8;
  if (data.length > row(usual) * (height - 1)) return true;
  return [1, 2, 4].some((bits) => Math.abs(data.length - row(bits) * height) <= 2);
}

async function isWhole(picture: StoredPicture): Promise<boolean> {
  if (picture.bitsPerPixel === 0 || picture.data.length === 0) return false;
  // For incomplete JPEG 2000 data, the engine reports an error; for incomplete JPEG data, it does not.
  if (picture.codec === 'DCTDecode') return isDecodable(picture.data);
  if (picture.codec === 'CCITTFaxDecode') return isWholeFax(picture);
  if (picture.codec === 'JBIG2Decode') return isWholeJbig2(picture.data);
  return picture.codec === 'JPXDecode' || areWholePixels(picture);
}

/**
 * Checks that all pictures of a page are complete, because the engine leaves damaged areas blank.
 * @param number the page number, from 1
 * @throws ClientError `unconvertible`
 */
export async function checkPictures(pictures: Iterable<StoredPicture>, number: number): Promise<void> {
  for (const picture of pictures) {
    if (await isWhole(picture)) continue;
    throw unconvertible(
      `the document cannot be converted: a picture on page ${number} is damaged or incomplete; request pdf`,
    );
  }
}
