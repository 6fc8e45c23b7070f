import sharp from 'sharp';
import { joinTiff } from '../../shared/documents/join-tiff.ts';
import { makeDocuments, scan } from './document-files.ts';
import { animatedGif, animatedWebp, apng, pngBomb, pngWith, tiffOf } from './frames.ts';
import { seededBytes } from './random.ts';

/** Returns a copy of the file whose header claims 65500 × 65500 pixels. */
function enlarged(file: Buffer, at: number, bytes: 2 | 4, isLittle = false): Buffer {
  const copy = Buffer.from(file);
  for (const place of [at, at + bytes]) {
    if (isLittle) copy.writeUIntLE(65_500, place, bytes);
    else copy.writeUIntBE(65_500, place, bytes);
  }
  return copy;
}

/** Returns a TIFF whose last directory links back to its first directory. */
function endlessTiff(page: Buffer): Buffer {
  const joined = joinTiff([page, Buffer.from(page)]);
  const second = page.length + (page.length % 2);
  const first = joined.readUInt32LE(4);
  const last = second + first;
  joined.writeUInt32LE(first, last + 2 + 12 * joined.readUInt16LE(last));
  return joined;
}

/** Returns a TIFF with one page and many empty directories of six bytes each. */
function tiffOfDirectories(page: Buffer, count: number): Buffer {
  const first = page.readUInt32LE(4);
  const start = page.length + (page.length % 2);
  const more = Buffer.alloc(6 * count);
  for (let index = 0; index + 1 < count; index += 1) more.writeUInt32LE(start + 6 * (index + 1), 6 * index + 2);
  const head = Buffer.concat([page, Buffer.alloc(page.length % 2)]);
  head.writeUInt32LE(start, first + 2 + 12 * page.readUInt16LE(first));
  return Buffer.concat([head, more]);
}

const manyFields = Array.from({ length: 1000 }, (_, index) => [50_000 + index, 1] as const);

/** Changes the header of a big-endian TIFF to claim a page of 4000 × 4000 pixels, and returns the TIFF. */
function widened(tiff: Buffer): Buffer {
  const directory = tiff.readUInt32BE(4);
  for (const field of [0, 1]) tiff.writeUInt32BE(4000, directory + 2 + 12 * field + 8);
  return tiff;
}

/** Inserts JPEG segments of the maximum length before the original segments. */
function jpegWith(jpeg: Buffer, marker: number, name: string, count: number): Buffer {
  const segment = Buffer.alloc(65_535 + 2, 'A');
  segment.set([0xff, marker, 0xff, 0xff]);
  segment.write(`${name}\0`, 4, 'latin1');
  // ICC profile segments are numbered.
  segment.set([1, 255], 4 + name.length + 1);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(segment.length * count, segment), jpeg.subarray(2)]);
}

/** Returns a progressive JPEG that repeats its last scan. */
async function jpegOfScans(count: number): Promise<Buffer> {
  const blank = sharp({ create: { width: 4000, height: 4000, channels: 3, background: '#fff' } });
  const jpeg = await blank.jpeg({ progressive: true }).toBuffer();
  const last = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), jpeg.length - 2);
  const scans = Buffer.alloc(last.length * count, last);
  return Buffer.concat([jpeg.subarray(0, jpeg.length - 2), scans, jpeg.subarray(-2)]);
}

/** Returns an ISO base media file that claims an image size but contains little else (ISO/IEC 23008-12). */
function boxedBomb(brand: string): Buffer {
  const box = (type: string, data: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + data.length);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, data]);
  };
  const size = Buffer.alloc(12);
  size.writeUInt32BE(0x7fff_ffff, 4);
  size.writeUInt32BE(0x7fff_ffff, 8);
  const properties = box('iprp', box('ipco', Buffer.concat(Array.from({ length: 1000 }, () => box('ispe', size)))));
  const meta = box('meta', Buffer.concat([Buffer.alloc(4), properties]));
  return Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0mif1${brand}`, 'latin1')),
    meta,
    box('mdat', Buffer.alloc(64)),
  ]);
}

/** Returns images that are designed to exhaust memory or time, each with part of the expected error message. */
export async function makeOverfullImages() {
  const { jpeg } = await makeDocuments();
  const onePage = await scan(64, 64).tiff().toBuffer();
  return {
    'a WebP of 300000 frames': [await animatedWebp(300_000), 'over 1000 frames'],
    'a GIF of 300000 frames': [animatedGif(300_000), 'over 1000 frames'],
    'a PNG of 300000 frames': [apng(300_000), 'over 1000 frames'],
    'a TIFF with three million directories': [tiffOfDirectories(onePage, 3_000_000), 'over 1000 frames or pages'],
    'a TIFF whose directories form a loop': [endlessTiff(onePage), 'damaged'],
    'a TIFF with a thousand values per pixel': [widened(tiffOf('MM', 40, [[277, 1000]])), 'megapixels'],
    'a TIFF whose tiles are larger than the image': [
      tiffOf('II', 40, [
        [322, 60_000],
        [323, 60_000],
      ]),
      'megapixels',
    ],
    'a TIFF with a thousand fields': [tiffOf('II', 40, manyFields), 'damaged'],
    'a JPEG of 10000 scans': [await jpegOfScans(10_000), 'over 100 scans'],
    'a JPEG with a profile of 16 MB': [jpegWith(jpeg, 0xe2, 'ICC_PROFILE', 255), 'colour profile'],
    'a JPEG with 40 MB of Exif data': [jpegWith(jpeg, 0xe1, 'Exif\0', 640), 'of metadata'],
    'a PNG whose profile decompresses to 512 MB': [pngWith('iCCP', 512), 'colour profile'],
    'a PNG whose text decompresses to 512 MB': [pngWith('zTXt', 512), 'of metadata'],
    'a PNG of 30000 by 30000': [pngBomb(30_000, 30_000), 'megapixels'],
    'a JPEG of 65500 by 65500': [enlarged(jpeg, jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5, 2), 'megapixels'],
    'a GIF of 65500 by 65500': [enlarged(animatedGif(1), 6, 2, true), 'megapixels'],
    'an AVIF of two billion by two billion pixels': [boxedBomb('avif'), 'stored as avif'],
    'a HEIC of two billion by two billion pixels': [boxedBomb('heic'), 'stored as heic'],
  } as const satisfies Record<string, readonly [Buffer, string]>;
}

/** Damaged or truncated images. */
export async function makeBrokenImages() {
  const { jpeg, fax, jpeg2000 } = await makeDocuments();
  const codestream = jpeg2000.indexOf(Buffer.from([0xff, 0x4f, 0xff, 0x51]));
  return {
    'a truncated PNG of 7000 by 7000 pixels': pngBomb(7000, 7000),
    'a JPEG 2000 of 65500 by 65500': enlarged(jpeg2000, codestream + 8, 4),
    'a truncated fax': fax.subarray(0, fax.length / 2),
    'a truncated JPEG': jpeg.subarray(0, jpeg.length / 2),
    'a truncated JPEG 2000': jpeg2000.subarray(0, jpeg2000.length / 2),
    'noise that begins like a JPEG': Buffer.concat([jpeg.subarray(0, 200), Buffer.from(seededBytes(7)(5000))]),
  };
}
