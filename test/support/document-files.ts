import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { joinTiff } from '../../shared/documents/join-tiff.ts';
import { writePdf } from '../../shared/documents/write-pdf.ts';
import { seededBytes } from './random.ts';

// 48 × 32 pixels, written by OpenJPEG, which is not among what is installed here.
const jpeg2000 =
  'AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAIAAAADAAAwcHAAAAAAAPY29scgEAAAAAABAAAAF1anAyY/9P/1EALwAAAAAAMAAAACAAAAAAAAAAAAAAADAAAAAgAAAAAAAAAAAAAwcBAQcBAQcBAf9SAAwAAAABAQUEBAAB/1wAE0BASEhQSEhQSEhQSEhQSEhQ/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS4w/5AACgAAAAAA7gAB/5PPsAwGEn/D5gQIj8+kGAo3kcAQx9gEBwKHp94ECT/AfADPvAgICT/A+AKH0gwRQws7r6PsAwAMFt/D6QcfYBgRQ28MFt/AcHB8wMAsW88DgmGh9IMAANJZwfGDh9IMLFvTANJZwDpED4wsAIxLJYnn9n3/f1IqTAu/UuafoPmCgFLmroXnwPgEg+YKSyVU71LmroXnwBHAfC/ACqCC3ee4SND2bnavJgtkRLvs8ztFQ8gXUMVFA6Uia+5celtdF9aIgsRNQVzEB6A8MLciqkjKf8BwkB4Ygt3nlrciqkjKf//Z';

/** A colour gradient with some noise, as scanners make it: no two rows are alike. */
export function scan(width: number, height: number, seed = 1): Sharp {
  const noise = seededBytes(seed)(4096);
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0, pixel = 0; pixel < width * height; pixel += 1) {
    const x = pixel % width;
    const y = Math.floor(pixel / width);
    const grain = (noise[(pixel * 7 + y) % 4096] ?? 0) >> 4;
    pixels[at++] = (((x * 255) / width) & 0xf0) | grain;
    pixels[at++] = (((y * 255) / height) & 0xf0) | grain;
    pixels[at++] = 0x80 | grain;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** Black bars on white: what a fax of a certificate is. */
function fax(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height, 255);
  for (let y = 0; y < height; y += 16) pixels.fill(0, y * width, y * width + Math.floor(width / 2));
  const image = sharp(pixels, { raw: { width, height, channels: 1 } }).toColourspace('b-w');
  return image.tiff({ bitdepth: 1, compression: 'ccittfax4', xres: 200 / 25.4, yres: 200 / 25.4 }).toBuffer();
}

const jpeg = (width: number, height: number, seed?: number): Promise<Buffer> =>
  scan(width, height, seed).jpeg({ quality: 90 }).toBuffer();

/** Pages that are each a photograph of a sheet, at 150 dots per inch. */
export async function scannedPdf(pages: number, width = 1240, height = 1754): Promise<Buffer> {
  const coding = '/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode';
  const pictures = Array.from({ length: pages }, async (_, index) => {
    return { width, height, dpi: 150, coding, data: await jpeg(width, height, index + 1) };
  });
  return writePdf(await Promise.all(pictures));
}

async function png16WithAlpha(width: number, height: number): Promise<Buffer> {
  const image = scan(width, height).ensureAlpha(0.5).toColourspace('rgb16');
  return image.png().toBuffer();
}

async function animatedGif(width: number, height: number): Promise<Buffer> {
  const frames = await Promise.all([1, 2, 3].map((seed) => scan(width, height, seed).png().toBuffer()));
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
}

/** One file of every kind that a registry stores, small; their sizes are in their names where a test needs them. */
export async function makeDocuments() {
  const small = scan(240, 160);
  return {
    jpeg: await small.jpeg({ quality: 90 }).toBuffer(),
    rotatedJpeg: await scan(240, 160).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    cmykJpeg: await scan(240, 160).toColourspace('cmyk').jpeg().toBuffer(),
    greyJpeg: await scan(240, 160).greyscale().toColourspace('b-w').jpeg().toBuffer(),
    png: await png16WithAlpha(240, 160),
    webp: await scan(240, 160).webp().toBuffer(),
    gif: await animatedGif(240, 160),
    jpeg2000: Buffer.from(jpeg2000, 'base64'),
    /** Three pages: 400 × 560, 560 × 400 and 201 × 99. */
    fax: joinTiff(await Promise.all([fax(400, 560), fax(560, 400), fax(201, 99)])),
  };
}

/** Formats that are told by their first bytes and refused. */
export const refusedFiles = {
  heic: Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(64)]),
  avif: Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypavif'), Buffer.alloc(64)]),
  svg: Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  text: Buffer.from('This is to certify that'),
  empty: Buffer.from('\n'),
} as const;

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = [Buffer.alloc(4), Buffer.alloc(4)] as const;
  ends[0].writeUInt32BE(data.length);
  ends[1].writeUInt32BE(crc32(body));
  return Buffer.concat([ends[0], body, ends[1]]);
}

/** A PNG whose pixels, all of one colour, take far more memory than its bytes. */
function pngBomb(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((width * 3 + 1) * Math.min(height, 2000)), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, pngChunk('IHDR', head), pngChunk('IDAT', rows), pngChunk('IEND', Buffer.alloc(0))]);
}

/** A sound file with the size in its header made 65500 × 65500. */
function enlarged(file: Buffer, at: number, bytes: 2 | 4, isLittle = false): Buffer {
  const copy = Buffer.from(file);
  for (const place of [at, at + bytes]) {
    if (isLittle) copy.writeUIntLE(65_500, place, bytes);
    else copy.writeUIntBE(65_500, place, bytes);
  }
  return copy;
}

/** A TIFF whose last directory leads back to its first. */
function endlessTiff(page: Buffer): Buffer {
  const joined = joinTiff([page, Buffer.from(page)]);
  const second = page.length + (page.length % 2);
  const first = joined.readUInt32LE(4);
  const last = second + first;
  joined.writeUInt32LE(first, last + 2 + 12 * joined.readUInt16LE(last));
  return joined;
}

/** Images that are made to take all memory or all time. */
export async function makeHostileImages() {
  const { jpeg, fax, gif, jpeg2000 } = await makeDocuments();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  const codestream = jpeg2000.indexOf(Buffer.from([0xff, 0x4f, 0xff, 0x51]));
  const onePage = await scan(64, 64).tiff().toBuffer();
  return {
    'a PNG of 30000 by 30000': pngBomb(30_000, 30_000),
    'a PNG of 7000 by 7000 that ends early': pngBomb(7000, 7000),
    'a JPEG of 65500 by 65500': enlarged(jpeg, frame + 5, 2),
    'a GIF of 65500 by 65500': enlarged(gif, 6, 2, true),
    'a JPEG 2000 of 65500 by 65500': enlarged(jpeg2000, codestream + 8, 4),
    'a TIFF without end': endlessTiff(onePage),
    'a fax cut off': fax.subarray(0, fax.length / 2),
    'a JPEG cut off': jpeg.subarray(0, jpeg.length / 2),
    'a JPEG 2000 cut off': jpeg2000.subarray(0, jpeg2000.length / 2),
    'noise that begins as a JPEG': Buffer.concat([jpeg.subarray(0, 200), Buffer.from(seededBytes(7)(5000))]),
  };
}
