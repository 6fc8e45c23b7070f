import { isDecodable } from '../image-codec.ts';
import type { StoredPicture } from './page-pictures.ts';

// Two ends of line in a row, of either coding, close a page (ITU-T T.6, 2.4; T.4, 4.1.4).
const endOfPage = /0{11}11?0{11}1/;
const tailBytes = 24;

// No code begins with so many zeros: who reads on behind the data meets a mistake, not its end, which is forgiven.
const paddingBytes = 16;

const bitsOf = (bytes: Buffer): string => Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');

/** A TIFF of one strip around fax data (TIFF 6.0, section 11): compression 4 is Group 4, 3 is Group 3. */
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
    // A LONG.
    file.writeUInt16LE(4, at + 2);
    file.writeUInt32LE(1, at + 4);
    file.writeUInt32LE(value, at + 8);
  }
  return file;
}

/** Whether fax data is all there: its end says so, or every row of it can be decoded by one of the codings. */
export async function isWholeFax(picture: StoredPicture): Promise<boolean> {
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
