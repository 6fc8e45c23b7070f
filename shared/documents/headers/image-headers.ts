import { inflateSync } from 'node:zlib';
import { limits } from '../conversion-limits.ts';

/** Reads the chunks of a WebP (RFC 9649, 2), with lossy (RFC 6386, 9.1) or lossless (RFC 9649, 3.4) bitstreams. */
export function readWebpHeader(file: Buffer): ImageHeader {
  const counting = startCounting();
  const sizeAt = (data: Buffer, at: number): [number, number] => [
    data.readUIntLE(at, 3) + 1,
    data.readUIntLE(at + 3, 3) + 1,
  ];
  for (let at = 12; at + 8 <= file.length && counting.frames <= limits.frames; ) {
    const type = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    const data = file.subarray(at + 8, at + 8 + length);
    if (type === 'VP8X') countPicture(counting, ...sizeAt(data, 4));
    else if (type === 'ANMF') {
      counting.frames += 1;
      countPicture(counting, ...sizeAt(data, 6));
    } else if (type === 'VP8 ') {
      countPicture(counting, data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff);
    } else if (type === 'VP8L') {
      const bits = data.readUInt32LE(1);
      countPicture(counting, (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    } else if (type === 'ICCP') countProfile(counting, length);
    else if (type !== 'ALPH') counting.metadataBytes += length;
    at += 8 + length + (length % 2);
  }
  return counting;
}

/** Returns the uncompressed size of a chunk, or the limit plus one byte if the chunk exceeds the limit. */
function unpackedBytes(packed: Buffer): number {
  try {
    return inflateSync(packed, { maxOutputLength: limits.metadataBytes }).length;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? limits.metadataBytes + 1 : packed.length;
  }
}

/** Returns a chunk's compressed part, which follows the keyword and, in iTXt, the language fields (PNG, 11.3.3). */
function packedPart(type: string, data: Buffer): Buffer {
  const afterKeyword = data.indexOf(0) + 1;
  if (type !== 'iTXt') return data.subarray(afterKeyword + 1);
  const afterLanguage = data.indexOf(0, afterKeyword + 2) + 1;
  return data.subarray(data.indexOf(0, afterLanguage) + 1);
}

const packedTypes: readonly string[] = ['iCCP', 'zTXt', 'iTXt'];
const pixelTypes: readonly string[] = ['IHDR', 'PLTE', 'IDAT', 'fdAT', 'fcTL', 'IEND'];

/** Reads the chunks of a PNG (ISO/IEC 15948). */
export function readPngHeader(file: Buffer): ImageHeader {
  const counting = startCounting();
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') countPicture(counting, data.readUInt32BE(0), data.readUInt32BE(4));
    if (type === 'fcTL') {
      counting.frames += 1;
      countPicture(counting, data.readUInt32BE(4), data.readUInt32BE(8));
    }
    const bytes = packedTypes.includes(type) ? unpackedBytes(packedPart(type, data)) : length;
    if (type === 'iCCP') countProfile(counting, bytes);
    else if (!pixelTypes.includes(type)) counting.metadataBytes += bytes;
    if (type === 'IEND' || counting.metadataBytes > limits.metadataBytes) break;
    if (counting.frames > limits.frames) break;
    at += 12 + length;
  }
  return counting;
}

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const isBare = (marker: number): boolean => marker < 2 || (marker >= 0xd0 && marker <= 0xd8);
const isNote = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
const profileName = Buffer.from('ICC_PROFILE\0');

/** Reads the markers of a JPEG (ITU-T T.81, annex B), including the markers between scans. */
export function readJpegHeader(file: Buffer): ImageHeader {
  const counting = startCounting();
  counting.frames = 1;
  counting.scans = 0;
  let at = file.indexOf(0xff, 2);
  while (at >= 0 && at + 4 <= file.length && counting.scans <= limits.jpegScans) {
    const marker = file.readUInt8(at + 1);
    if (marker === 0xd9) break;
    if (marker === 0xff) at += 1;
    else if (isBare(marker)) at += 2;
    else {
      const length = file.readUInt16BE(at + 2);
      if (isFrame(marker)) countPicture(counting, file.readUInt16BE(at + 7), file.readUInt16BE(at + 5));
      if (marker === 0xda) counting.scans += 1;
      if (isNote(marker)) counting.metadataBytes += length;
      const isProfile = marker === 0xe2 && file.subarray(at + 4, at + 16).equals(profileName);
      if (isProfile) counting.profileBytes += length;
      at += 2 + length;
    }
    at = file.indexOf(0xff, at);
  }
  return counting;
}

const paletteBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Reads the blocks of a GIF (GIF89a, 17 to 26). */
export function readGifHeader(file: Buffer): ImageHeader {
  const counting = startCounting();
  countPicture(counting, file.readUInt16LE(6), file.readUInt16LE(8));
  let at = 13 + paletteBytes(file.readUInt8(10));
  /** Skips sub-blocks, each of which begins with its length. Returns their total length. */
  const skipBlocks = (): number => {
    const began = at;
    for (let length = -1; length !== 0 && at < file.length; at += 1 + length) length = file.readUInt8(at);
    return at - began;
  };
  while (at < file.length && counting.frames <= limits.frames && counting.metadataBytes <= limits.metadataBytes) {
    const kind = file.readUInt8(at);
    if (kind === 0x21) {
      at += 2;
      counting.metadataBytes += skipBlocks();
    } else if (kind === 0x2c && at + 10 <= file.length) {
      counting.frames += 1;
      const [left = 0, top = 0, width = 0, height = 0] = [1, 3, 5, 7].map((place) => file.readUInt16LE(at + place));
      countPicture(counting, left + width, top + height);
      at += 11 + paletteBytes(file.readUInt8(at + 9));
      skipBlocks();
    } else break;
  }
  return counting;
}

/** The header values that have been read so far. Reading stops as soon as a limit is exceeded. */
export const startCounting = () => ({ pixels: 0, frames: 0, scans: 1, profileBytes: 0, metadataBytes: 0 });

/** The values in an image header that determine the cost of decoding. */
export type ImageHeader = ReturnType<typeof startCounting>;

export function countPicture(counting: ImageHeader, width: number, height: number): void {
  counting.pixels = Math.max(counting.pixels, width * height);
}

export function countProfile(counting: ImageHeader, bytes: number): void {
  counting.profileBytes = Math.max(counting.profileBytes, bytes);
  counting.metadataBytes += bytes;
}
