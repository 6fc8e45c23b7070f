import { limits } from '../limits.ts';
import { countPicture, type ImageHeader, startCounting } from './image-header.ts';

const paletteBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Reads the blocks of a GIF (GIF89a, 17 to 26). */
export function readGifHeader(file: Buffer): ImageHeader {
  const counting = startCounting();
  countPicture(counting, file.readUInt16LE(6), file.readUInt16LE(8));
  let at = 13 + paletteBytes(file.readUInt8(10));
  /** Steps over a row of sub-blocks, each of which begins with its length; answers how long it was. */
  const skipBlocks = (): number => {
    const began = at;
    for (let length = -1; length !== 0 && at < file.length; at += 1 + length) length = file.readUInt8(at);
    return at - began;
  };
  while (at < file.length && counting.frames <= limits.frames && counting.metadataBytes <= limits.metadataBytes) {
    const kind = file.readUInt8(at);
    if (kind === 0x21) {
      // The label of an extension.
      at += 2;
      counting.metadataBytes += skipBlocks();
    } else if (kind === 0x2c && at + 10 <= file.length) {
      counting.frames += 1;
      const [left = 0, top = 0, width = 0, height = 0] = [1, 3, 5, 7].map((place) => file.readUInt16LE(at + place));
      countPicture(counting, left + width, top + height);
      // The smallest code stands before the pixels.
      at += 11 + paletteBytes(file.readUInt8(at + 9));
      skipBlocks();
    } else break;
  }
  return counting;
}
