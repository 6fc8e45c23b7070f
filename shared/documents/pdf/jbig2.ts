/** Types of segments that draw something (ITU-T T.88, 7.3). */
const regions: readonly number[] = [4, 6, 7, 20, 22, 23, 36, 38, 39, 40, 42, 43];
const unknownLength = 0xffff_ffff;
const smallestHeader = 11;

/**
 * Whether a JBIG2 stream as PDFs hold it (ITU-T T.88, 7.2: segments without a file header) has all of the segments that it
 * begins, and draws something.
 */
export function isWholeJbig2(data: Buffer): boolean {
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
      // Only a last picture may leave its length open.
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
