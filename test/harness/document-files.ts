import sharp, { type Sharp } from 'sharp';
import { joinTiff } from '../../shared/documents/join-tiff.ts';
import { writePdf } from '../../shared/documents/pdf/write-pdf.ts';
import { seededBytes } from './random.ts';

// A JPEG 2000 image that measures 48 × 32 pixels. The image is stored here because this project does not depend on
// OpenJPEG, which created it.
const jpeg2000 =
  'AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAIAAAADAAAwcHAAAAAAAPY29scgEAAAAAABAAAAF1anAyY/9P/1EALwAAAAAAMAAAACAAAAAAAAAAAAAAADAAAAAgAAAAAAAAAAAAAwcBAQcBAQcBAf9SAAwAAAABAQUEBAAB/1wAE0BASEhQSEhQSEhQSEhQSEhQ/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS4w/5AACgAAAAAA7gAB/5PPsAwGEn/D5gQIj8+kGAo3kcAQx9gEBwKHp94ECT/AfADPvAgICT/A+AKH0gwRQws7r6PsAwAMFt/D6QcfYBgRQ28MFt/AcHB8wMAsW88DgmGh9IMAANJZwfGDh9IMLFvTANJZwDpED4wsAIxLJYnn9n3/f1IqTAu/UuafoPmCgFLmroXnwPgEg+YKSyVU71LmroXnwBHAfC/ACqCC3ee4SND2bnavJgtkRLvs8ztFQ8gXUMVFA6Uia+5celtdF9aIgsRNQVzEB6A8MLciqkjKf8BwkB4Ygt3nlrciqkjKf//Z';

/** Returns a noisy colour gradient that resembles a scan, because no two rows are equal. */
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

/** Returns an image of black bars on a white background, similar to a faxed certificate. */
function fax(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height, 255);
  for (let y = 0; y < height; y += 16) pixels.fill(0, y * width, y * width + Math.floor(width / 2));
  const image = sharp(pixels, { raw: { width, height, channels: 1 } }).toColourspace('b-w');
  return image.tiff({ bitdepth: 1, compression: 'ccittfax4', xres: 200 / 25.4, yres: 200 / 25.4 }).toBuffer();
}

const jpeg = (width: number, height: number, seed?: number): Promise<Buffer> =>
  scan(width, height, seed).jpeg({ quality: 90 }).toBuffer();

/** Creates a PDF whose pages are photographs at 150 dots per inch. */
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

/** Creates one small file in each format that a registry stores. */
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
    /** The three pages measure 400 × 560, 560 × 400 and 201 × 99 pixels. */
    fax: joinTiff(await Promise.all([fax(400, 560), fax(560, 400), fax(201, 99)])),
  };
}

/** Files that the service rejects because their first bytes show an unsupported format. */
export const rejectedFiles = {
  heic: Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(64)]),
  avif: Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypavif'), Buffer.alloc(64)]),
  svg: Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  text: Buffer.from('This is to certify that'),
  empty: Buffer.from('\n'),
} as const;
