import { InternalError } from '../domain/internal-errors.ts';

// The number of bytes per value, by field type (TIFF 6.0, section 2). Types start at 1.
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
const long = 4;
// StripOffsets and TileOffsets contain positions in the file.
const placeTags = new Set([273, 324]);

/**
 * Adds `base` to all positions in a one-page little-endian TIFF. Returns the position and the end of the page's
 * directory.
 */
function move(page: Buffer, base: number): { directory: number; next: number } {
  if (page.readUInt16LE(0) !== 0x4949 || page.readUInt16LE(2) !== 42) {
    throw new InternalError('unexpectedTiff', { part: 'header' });
  }
  const directory = page.readUInt32LE(4);
  const count = page.readUInt16LE(directory);
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + 12 * index;
    const tag = page.readUInt16LE(entry);
    const type = page.readUInt16LE(entry + 2);
    const values = page.readUInt32LE(entry + 4);
    const isOutside = values * (typeBytes[type] ?? 1) > 4;
    const at = isOutside ? page.readUInt32LE(entry + 8) : entry + 8;
    if (placeTags.has(tag)) {
      if (type !== long) throw new InternalError('unexpectedTiff', { part: 'places' });
      for (let value = 0; value < values; value += 1) {
        const place = at + 4 * value;
        page.writeUInt32LE(page.readUInt32LE(place) + base, place);
      }
    }
    if (isOutside) page.writeUInt32LE(at + base, entry + 8);
  }
  return { directory: directory + base, next: directory + 2 + 12 * count };
}

export function joinTiff(pages: readonly Buffer[]): Buffer {
  const joined: Buffer[] = [];
  let base = 0;
  let last: { page: Buffer; next: number } | undefined;
  for (const original of pages) {
    // TIFF directories must begin at an even position.
    const page = Buffer.concat([original, Buffer.alloc(original.length % 2)]);
    const { directory, next } = move(page, base);
    last?.page.writeUInt32LE(directory, last.next);
    last = { page, next };
    joined.push(page);
    base += page.length;
  }
  return Buffer.concat(joined);
}
