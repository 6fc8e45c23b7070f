import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

// The following functions create images with any number of frames and chunks.

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = [Buffer.alloc(4), Buffer.alloc(4)] as const;
  ends[0].writeUInt32BE(data.length);
  ends[1].writeUInt32BE(crc32(body));
  return Buffer.concat([ends[0], body, ends[1]]);
}

function pngOf(width: number, height: number, ...chunks: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, pngChunk('IHDR', head), ...chunks, pngChunk('IEND', Buffer.alloc(0))]);
}

const white = (width: number, height: number): Buffer =>
  deflateSync(Buffer.alloc((width * 3 + 1) * height, 0), { level: 9 });

/** Creates a single-colour PNG whose decoded pixels need far more memory than the file. */
export const pngBomb = (width: number, height: number): Buffer =>
  pngOf(width, height, pngChunk('IDAT', white(width, Math.min(height, 2000))));

/** Creates a small PNG whose text or colour profile decompresses to the given number of megabytes. */
export function pngWith(type: 'iCCP' | 'zTXt', megabytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(megabytes * 1024 * 1024), { level: 1 });
  const note = pngChunk(type, Buffer.concat([Buffer.from('note\0\0', 'latin1'), packed]));
  return pngOf(9, 9, note, pngChunk('IDAT', white(9, 9)));
}

/** Creates an animated PNG (PNG specification, 11.3.6) with frames of one pixel. */
export function apng(frames: number): Buffer {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames);
  const place = Buffer.alloc(26);
  place.writeUInt32BE(1, 4);
  place.writeUInt32BE(1, 8);
  const pixel = Buffer.concat([Buffer.alloc(4), white(1, 1)]);
  const frame = Buffer.concat([pngChunk('fcTL', place), pngChunk('fdAT', pixel)]);
  const all = Buffer.alloc(frame.length * frames, frame);
  return pngOf(9, 9, pngChunk('acTL', control), pngChunk('IDAT', white(9, 9)), all);
}

/** Creates an animated GIF with frames of one pixel. */
export function animatedGif(frames: number): Buffer {
  const head = Buffer.from([...Buffer.from('GIF89a'), 9, 0, 9, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]);
  return Buffer.concat([head, Buffer.alloc(frame.length * frames, frame), Buffer.from([0x3b])]);
}

/** Creates an animated WebP (RFC 9649, 2.7) with frames of 2 × 2 pixels. */
export async function animatedWebp(frames: number): Promise<Buffer> {
  const chunk = (type: string, ...data: readonly Buffer[]): Buffer => {
    const body = Buffer.concat(data);
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
  };
  const still = sharp({ create: { width: 2, height: 2, channels: 3, background: '#808080' } });
  // The container header is 12 bytes long. The pixel data follows.
  const pixels = (await still.webp({ lossless: true }).toBuffer()).subarray(12);
  const place = Buffer.from([0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 10, 0, 0, 0]);
  const canvas = Buffer.from([0x02, 0, 0, 0, 1, 0, 0, 1, 0, 0]);
  const frame = chunk('ANMF', place, pixels);
  const all = Buffer.alloc(frame.length * frames, frame);
  return chunk('RIFF', Buffer.from('WEBP'), chunk('VP8X', canvas), chunk('ANIM', Buffer.alloc(6)), all);
}

/** Creates a TIFF in either byte order, with one white page (8-bit grey) and additional fields. */
export function tiffOf(
  order: 'II' | 'MM',
  side: number,
  more: readonly (readonly [tag: number, value: number])[] = [],
): Buffer {
  const usual = { 256: side, 257: side, 258: 8, 259: 1, 262: 1, 273: 8, 278: side, 279: side * side };
  const all = [...Object.entries(usual).map(([tag, value]) => [Number(tag), value] as const), ...more];
  const fields = all.toSorted(([one], [other]) => one - other);
  const start = 8 + side * side;
  const file = Buffer.alloc(start + 2 + 12 * fields.length + 4, 0);
  const small = (value: number, at: number) =>
    order === 'II' ? file.writeUInt16LE(value, at) : file.writeUInt16BE(value, at);
  const large = (value: number, at: number) =>
    order === 'II' ? file.writeUInt32LE(value, at) : file.writeUInt32BE(value, at);
  file.write(order, 'latin1');
  small(42, 2);
  large(start, 4);
  file.fill(255, 8, start);
  small(fields.length, start);
  for (const [index, [tag, value]] of fields.entries()) {
    const at = start + 2 + 12 * index;
    small(tag, at);
    // Type LONG.
    small(4, at + 2);
    large(1, at + 4);
    large(value, at + 8);
  }
  return file;
}
