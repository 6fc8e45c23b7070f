import { damagedDocument } from '../conversion-errors.ts';
import { limits } from '../conversion-limits.ts';
import { countPicture, countProfile, type ImageHeader, startCounting } from './image-headers.ts';

/** Reads numbers in the byte order of the file. TIFF fields have 12 bytes, and BigTIFF fields have 20. */
function readerOf(file: Buffer) {
  const isLittle = file.readUInt8(0) === 0x49;
  const small = (at: number): number => (isLittle ? file.readUInt16LE(at) : file.readUInt16BE(at));
  const medium = (at: number): number => (isLittle ? file.readUInt32LE(at) : file.readUInt32BE(at));
  const large = (at: number): number => Number(isLittle ? file.readBigUInt64LE(at) : file.readBigUInt64BE(at));
  return small(2) === 43
    ? {
        small,
        medium,
        first: large(8),
        count: large,
        header: 8,
        field: 20,
        next: large,
        size: large,
        value: 12,
        room: 8,
      }
    : {
        small,
        medium,
        first: medium(4),
        count: small,
        header: 2,
        field: 12,
        next: medium,
        size: medium,
        value: 8,
        room: 4,
      };
}

// The numbers of TIFF fields (TIFF 6.0, section 8 and appendix A). The codec reads only these kinds of metadata:
// ImageDescription, XMP, IPTC, Photoshop and EXIF.
const [width, height, bits, samples, tileWidth, tileHeight, profile] = [256, 257, 258, 277, 322, 323, 34_675];
const sizes: readonly number[] = [width, height, bits, samples, tileWidth, tileHeight];
const notes: readonly number[] = [270, 700, 33_723, 34_377, 34_665];
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/**
 * Reads the directories of a TIFF file, and stops as soon as a limit is exceeded.
 * @throws ClientError `unconvertible` if the directories are circular or invalid
 */
export function readTiffHeader(file: Buffer): ImageHeader {
  const counting = startCounting();
  const read = readerOf(file);
  const seen = new Set<number>();
  for (let at = read.first; at !== 0 && counting.frames <= limits.frames; ) {
    if (seen.has(at)) throw damagedDocument();
    seen.add(at);
    counting.frames += 1;
    const fields = read.count(at);
    if (fields > limits.tiffFields) throw damagedDocument();
    const values = new Map<number, number>();
    for (let index = 0; index < fields; index += 1) {
      const field = at + read.header + index * read.field;
      const [tag, type] = [read.small(field), read.small(field + 2)];
      const bytes = read.size(field + 4) * (typeBytes[type] ?? 8);
      // If a value does not fit into the field, the field contains the position of the value in the file.
      const place = bytes > read.room ? read.next(field + read.value) : field + read.value;
      if (sizes.includes(tag)) values.set(tag, type === 3 ? read.small(place) : read.medium(place));
      if (tag === profile) countProfile(counting, bytes);
      if (notes.includes(tag)) counting.metadataBytes += bytes;
    }
    const value = (tag: number): number => values.get(tag) ?? 1;
    const share = Math.max(1, (value(samples) * value(bits)) / limits.pixelBits);
    countPicture(counting, value(width), value(height) * share);
    countPicture(counting, value(tileWidth), value(tileHeight) * share);
    at = read.next(at + read.header + fields * read.field);
  }
  return counting;
}
