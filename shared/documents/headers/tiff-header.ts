import { damagedDocument } from '../conversion-errors.ts';
import { limits } from '../conversion-limits.ts';
import { countPicture, countProfile, type ImageHeader, startCounting } from './image-headers.ts';

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
 * Reads the directories of a TIFF file, and stops as soon as a limit is exceeded.
 * @throws ClientError `unconvertible` if the directories are circular or invalid
 */
export function readTiffHeader(file: Buffer): ImageHeader {
  const counting = startCounting();
  const read = readerOf(file);
  const seen = new Set<number>();
  const fieldBytes = 4 + 2 * read.placeBytes;
  for (let at = read.place(read.placeBytes); at !== 0 && counting.frames <= limits.frames; ) {
    if (seen.has(at)) throw damagedDocument();
    seen.add(at);
    counting.frames += 1;
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
      if (tag === profile) countProfile(counting, bytes);
      if (notes.includes(tag)) counting.metadataBytes += bytes;
    }
    const value = (tag: number): number => values.get(tag) ?? 1;
    const share = Math.max(1, (value(samples) * value(bits)) / limits.pixelBits);
    countPicture(counting, value(width), value(height) * share);
    countPicture(counting, value(tileWidth), value(tileHeight) * share);
    at = read.place(at + read.fieldsBytes + fields * fieldBytes);
  }
  return counting;
}
