import { inflateSync } from 'node:zlib';
import { limits } from '../limits.ts';
import { countPicture, countProfile, type ImageHeader, startCounting } from './image-header.ts';

/** The size of what is packed at the end of a chunk; one more than there may be when it is over. */
function unpackedBytes(packed: Buffer): number {
  try {
    return inflateSync(packed, { maxOutputLength: limits.metadataBytes }).length;
  } catch (error) {
    // What is damaged, a decoder leaves out.
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? limits.metadataBytes + 1 : packed.length;
  }
}

/** Where the packed part of a chunk begins: after its keyword and, in iTXt, its languages (PNG, 11.3.3). */
function packedPart(type: string, data: Buffer): Buffer {
  const afterKeyword = data.indexOf(0) + 1;
  if (type !== 'iTXt') return data.subarray(afterKeyword + 1);
  const afterLanguage = data.indexOf(0, afterKeyword + 2) + 1;
  return data.subarray(data.indexOf(0, afterLanguage) + 1);
}

const packedTypes: readonly string[] = ['iCCP', 'zTXt', 'iTXt'];
const pixelTypes: readonly string[] = ['IHDR', 'PLTE', 'IDAT', 'fdAT', 'fcTL', 'IEND'];

/** Reads the chunks of a PNG (ISO/IEC 15948), animated or not. */
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
