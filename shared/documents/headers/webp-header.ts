import { limits } from '../limits.ts';
import { type Counting, countPicture, countProfile, type ImageHeader, startCounting } from './image-header.ts';

/** Adds what a picture's own first bytes say: lossy (RFC 6386, 9.1) or lossless (RFC 9649, 3.4). */
function countBitstream(counting: Counting, type: string, data: Buffer): void {
  if (type === 'VP8 ') countPicture(counting, data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff);
  if (type === 'VP8L') {
    const bits = data.readUInt32LE(1);
    countPicture(counting, (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
}

/** Reads the chunks of a WebP (RFC 9649, 2), animated or not. */
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
    } else if (type === 'VP8 ' || type === 'VP8L') countBitstream(counting, type, data);
    else if (type === 'ICCP') countProfile(counting, length);
    else if (type !== 'ALPH') counting.metadataBytes += length;
    at += 8 + length + (length % 2);
  }
  return counting;
}
