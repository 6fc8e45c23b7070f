import { inflateSync } from 'node:zlib';
import { damagedDocument, limits, megabytes, unconvertible } from './conversion-limits.ts';
import type { StoredFormat } from './plan-document.ts';

const nothing = { pixels: 0, frames: 0, scans: 1, profileBytes: 0, metadataBytes: 0 };

/**
 * The values in an image header that determine the cost of decoding. The functions in this module add the values that
 * they read, and stop as soon as a limit is exceeded.
 */
type ImageHeader = typeof nothing;

function countPicture(header: ImageHeader, width: number, height: number): void {
  header.pixels = Math.max(header.pixels, width * height);
}

function countProfile(header: ImageHeader, bytes: number): void {
  header.profileBytes = Math.max(header.profileBytes, bytes);
  header.metadataBytes += bytes;
}

/** Reads the chunks of a WebP (RFC 9649, 2), with lossy (RFC 6386, 9.1) or lossless (RFC 9649, 3.4) bitstreams. */
function readWebp(file: Buffer, header: ImageHeader): void {
  const countSizeAt = (data: Buffer, at: number): void =>
    countPicture(header, data.readUIntLE(at, 3) + 1, data.readUIntLE(at + 3, 3) + 1);
  for (let at = 12; at + 8 <= file.length && header.frames <= limits.frames; ) {
    const type = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    const data = file.subarray(at + 8, at + 8 + length);
    if (type === 'VP8X') countSizeAt(data, 4);
    else if (type === 'ANMF') {
      header.frames += 1;
      countSizeAt(data, 6);
    } else if (type === 'VP8 ') {
      countPicture(header, data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff);
    } else if (type === 'VP8L') {
      const bits = data.readUInt32LE(1);
      countPicture(header, (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    } else if (type === 'ICCP') countProfile(header, length);
    else if (type !== 'ALPH') header.metadataBytes += length;
    at += 8 + length + (length % 2);
  }
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
function readPng(file: Buffer, header: ImageHeader): void {
  for (let at = 8; at + 12 <= file.length && header.frames <= limits.frames; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') countPicture(header, data.readUInt32BE(0), data.readUInt32BE(4));
    if (type === 'fcTL') {
      header.frames += 1;
      countPicture(header, data.readUInt32BE(4), data.readUInt32BE(8));
    }
    const bytes = packedTypes.includes(type) ? unpackedBytes(packedPart(type, data)) : length;
    if (type === 'iCCP') countProfile(header, bytes);
    else if (!pixelTypes.includes(type)) header.metadataBytes += bytes;
    if (type === 'IEND' || header.metadataBytes > limits.metadataBytes) break;
    at += 12 + length;
  }
}

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const isBare = (marker: number): boolean => marker < 2 || (marker >= 0xd0 && marker <= 0xd8);
const isNote = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
const profileName = Buffer.from('ICC_PROFILE\0');

/** Reads the markers of a JPEG (ITU-T T.81, annex B), including the markers between scans. */
function readJpeg(file: Buffer, header: ImageHeader): void {
  header.frames = 1;
  header.scans = 0;
  let at = file.indexOf(0xff, 2);
  while (at >= 0 && at + 4 <= file.length && header.scans <= limits.jpegScans) {
    const marker = file.readUInt8(at + 1);
    if (marker === 0xd9) break;
    if (marker === 0xff) at += 1;
    else if (isBare(marker)) at += 2;
    else {
      const length = file.readUInt16BE(at + 2);
      if (isFrame(marker)) countPicture(header, file.readUInt16BE(at + 7), file.readUInt16BE(at + 5));
      if (marker === 0xda) header.scans += 1;
      if (isNote(marker)) header.metadataBytes += length;
      const isProfile = marker === 0xe2 && file.subarray(at + 4, at + 16).equals(profileName);
      if (isProfile) header.profileBytes += length;
      at += 2 + length;
    }
    at = file.indexOf(0xff, at);
  }
}

const paletteBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Reads the blocks of a GIF (GIF89a, 17 to 26). */
function readGif(file: Buffer, header: ImageHeader): void {
  countPicture(header, file.readUInt16LE(6), file.readUInt16LE(8));
  let at = 13 + paletteBytes(file.readUInt8(10));
  /** Skips sub-blocks, each of which begins with its length. Returns their total length. */
  const skipBlocks = (): number => {
    const began = at;
    for (let length = -1; length !== 0 && at < file.length; at += 1 + length) length = file.readUInt8(at);
    return at - began;
  };
  while (at < file.length && header.frames <= limits.frames && header.metadataBytes <= limits.metadataBytes) {
    const kind = file.readUInt8(at);
    if (kind === 0x21) {
      at += 2;
      header.metadataBytes += skipBlocks();
    } else if (kind === 0x2c && at + 10 <= file.length) {
      header.frames += 1;
      const [left = 0, top = 0, width = 0, height = 0] = [1, 3, 5, 7].map((place) => file.readUInt16LE(at + place));
      countPicture(header, left + width, top + height);
      at += 11 + paletteBytes(file.readUInt8(at + 9));
      skipBlocks();
    } else break;
  }
}

/** Reads numbers in the byte order of the file. Positions and value counts have 8 bytes in BigTIFF, otherwise 4. */
function readerOf(file: Buffer) {
  const isLittle = file.readUInt8(0) === 0x49;
  const small = (at: number): number => (isLittle ? file.readUInt16LE(at) : file.readUInt16BE(at));
  const medium = (at: number): number => (isLittle ? file.readUInt32LE(at) : file.readUInt32BE(at));
  const large = (at: number): number => Number(isLittle ? file.readBigUInt64LE(at) : file.readBigUInt64BE(at));
  return small(2) === 43
    ? { small, medium, fields: large, fieldsBytes: 8, place: large, placeBytes: 8 }
    : { small, medium, fields: small, fieldsBytes: 2, place: medium, placeBytes: 4 };
}

// The numbers of TIFF fields (TIFF 6.0, section 8 and appendix A). The codec reads only these kinds of metadata:
// ImageDescription, XMP, IPTC, Photoshop and EXIF.
const [width, height, bits, samples, tileWidth, tileHeight, profile] = [256, 257, 258, 277, 322, 323, 34_675];
const sizes: readonly number[] = [width, height, bits, samples, tileWidth, tileHeight];
const notes: readonly number[] = [270, 700, 33_723, 34_377, 34_665];
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/**
 * Reads the directories of a TIFF file.
 * @throws ClientError `unconvertible` if the directories are circular or invalid
 */
function readTiff(file: Buffer, header: ImageHeader): void {
  const read = readerOf(file);
  const seen = new Set<number>();
  const fieldBytes = 4 + 2 * read.placeBytes;
  for (let at = read.place(read.placeBytes); at !== 0 && header.frames <= limits.frames; ) {
    if (seen.has(at)) throw damagedDocument();
    seen.add(at);
    header.frames += 1;
    const fields = read.fields(at);
    if (fields > limits.tiffFields) throw damagedDocument();
    const values = new Map<number, number>();
    for (let index = 0; index < fields; index += 1) {
      const field = at + read.fieldsBytes + index * fieldBytes;
      const [tag, type] = [read.small(field), read.small(field + 2)];
      const bytes = read.place(field + 4) * (typeBytes[type] ?? 8);
      // If a value does not fit into the field, the field contains the position of the value in the file.
      const inField = field + 4 + read.placeBytes;
      const place = bytes > read.placeBytes ? read.place(inField) : inField;
      if (sizes.includes(tag)) values.set(tag, type === 3 ? read.small(place) : read.medium(place));
      if (tag === profile) countProfile(header, bytes);
      if (notes.includes(tag)) header.metadataBytes += bytes;
    }
    const value = (tag: number): number => values.get(tag) ?? 1;
    const share = Math.max(1, (value(samples) * value(bits)) / limits.pixelBits);
    countPicture(header, value(width), value(height) * share);
    countPicture(header, value(tileWidth), value(tileHeight) * share);
    at = read.place(at + read.fieldsBytes + fields * fieldBytes);
  }
}

const readers: Partial<Record<StoredFormat, (file: Buffer, header: ImageHeader) => void>> = {
  jpeg: readJpeg,
  png: readPng,
  gif: readGif,
  webp: readWebp,
  tiff: readTiff,
};

/**
 * Reads the header of an image.
 * @throws ClientError `unconvertible` if the header is invalid or truncated
 */
export function readImageHeader(file: Buffer, stored: StoredFormat): ImageHeader {
  const header = { ...nothing };
  try {
    readers[stored]?.(file, header);
  } catch (error) {
    throw error instanceof RangeError ? damagedDocument() : error;
  }
  return header;
}

function excessOf(header: ImageHeader): string | undefined {
  if (header.pixels > limits.inputPixels) return `${limits.inputPixels / 1e6} megapixels on one page`;
  if (header.frames > limits.frames) return `${limits.frames} frames or pages`;
  if (header.scans > limits.jpegScans) return `${limits.jpegScans} scans of one picture`;
  if (header.profileBytes > limits.profileBytes) return `${megabytes(limits.profileBytes)} of colour profile`;
  if (header.metadataBytes > limits.metadataBytes) return `${megabytes(limits.metadataBytes)} of metadata`;
  return undefined;
}

/**
 * Checks an image before it is decoded. A time limit alone is not sufficient, because some codecs spend too much time
 * even on small frames.
 * @throws ClientError `unconvertible` if a limit is exceeded or the header is truncated
 */
export function inspectImage(file: Buffer, stored: StoredFormat): void {
  const excess = excessOf(readImageHeader(file, stored));
  if (excess !== undefined) throw unconvertible(`the document has over ${excess}`);
}
