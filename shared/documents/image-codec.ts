import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import type { PageFormat } from '../domain/documents/document-format.ts';
import { Refusal } from '../model/refusals.ts';
import { limits } from './limits.ts';
import type { Raster } from './raster.ts';

// Only the loaders of formats that we take: others (SVG, HEIF, Magick …) have been ways into this library before.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Tiff', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}Buffer`),
});
sharp.cache(false);

/** One page as an image, not yet decoded. Width and height are pixels, upright. */
export interface PageImage {
  readonly width: number;
  readonly height: number;
  /** Undefined where the file does not say. */
  readonly dpi: number | undefined;
  /** Black and white only. */
  readonly isBilevel: boolean;
  /** Stored without loss, so that a copy should be without loss too. */
  readonly isLossless: boolean;
  /** The stored file itself, where it is a JPEG that any reader shows as it is: upright, grey or RGB. */
  readonly jpeg: Uint8Array | undefined;
  readonly isGrey: boolean;
  decode(): Sharp;
  /** Gives the pixels' memory back at once, when nobody works on them any more: collecting it may take too long. */
  release?(): void;
}

const options: SharpOptions = { failOn: 'error', limitInputPixels: limits.inputPixels, autoOrient: true };

/** What went wrong in the image library, in the words of a refusal. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/memory/i.test(message)) return new Refusal('conversionFailed', 'this document needs too much memory');
  if (/pixel limit/i.test(message)) {
    return new Refusal('unconvertible', `the document has over ${limits.inputPixels / 1e6} megapixels on one page`);
  }
  if (/too large|maximum|exceeds/i.test(message)) {
    return new Refusal('unconvertible', 'the document has more pixels than the format asked for can hold; ask for pdf');
  }
  return new Refusal('unconvertible', 'the document cannot be converted: it is damaged');
}

/** Does image work. @throws Refusal `unconvertible` or `conversionFailed` */
async function run<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Writes what a pipeline makes. */
export const finish = (image: Sharp): Promise<Buffer> => run(image.toBuffer());

/** The library says 72 where a file says nothing. */
const statedDpi = ({ density }: Metadata): number | undefined =>
  density === undefined || density === 72 ? undefined : Math.min(2400, Math.max(36, density));

/** A page of an image file, from 0. Animations have one page: their first frame. */
export async function readImage(bytes: Uint8Array, index: number): Promise<PageImage> {
  const read = (): Sharp => sharp(bytes, { ...options, page: index, pages: 1 });
  const metadata = await run(read().metadata());
  const { width, height } = metadata.autoOrient;
  const { format, orientation = 1, space, bitsPerSample } = metadata;
  const isPlain = format === 'jpeg' && orientation === 1 && (space === 'srgb' || space === 'b-w');
  return {
    width,
    height,
    dpi: statedDpi(metadata),
    isBilevel: space === 'b-w' && bitsPerSample === 1,
    isLossless: format === 'png' || format === 'tiff' || format === 'gif',
    jpeg: isPlain ? bytes : undefined,
    isGrey: space === 'b-w' || space === 'grey16',
    decode: read,
  };
}

/** How many pages an image file has. */
export async function countPages(bytes: Uint8Array): Promise<number> {
  const { format, pages = 1 } = await run(sharp(bytes, options).metadata());
  return format === 'tiff' ? pages : 1;
}

/** The page that the PDF engine has rendered. */
export const rasterImage = ({ width, height, dpi, data }: Raster): PageImage => ({
  width,
  height,
  dpi,
  isBilevel: false,
  isLossless: false,
  jpeg: undefined,
  isGrey: false,
  decode: () => sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha(),
  release: () => void data.buffer.transfer(0),
});

/** The colour space of what we write: 8 bits of grey or sRGB. */
const coloursOf = ({ isGrey }: PageImage): 'b-w' | 'srgb' => (isGrey ? 'b-w' : 'srgb');

/** 8 bits, on white paper, grey or sRGB. */
const onPaper = (page: PageImage): Sharp =>
  page.decode().flatten({ background: '#ffffff' }).toColourspace(coloursOf(page));

interface JpegSettings {
  readonly quality: number;
  readonly chromaSubsampling?: '4:4:4';
}

/** A page as a JPEG. The best coding needs all of the page in memory, six bytes a pixel: not for the largest. */
export const encodeJpeg = (page: PageImage, settings: JpegSettings): Promise<Buffer> => {
  const optimiseCoding = page.width * page.height <= limits.renderPixels;
  return finish(onPaper(page).jpeg({ ...settings, optimiseCoding }));
};

/** One page as a file of its own. */
export function encodePage(page: PageImage, format: PageFormat): Promise<Buffer> {
  if (format === 'jpeg') return encodeJpeg(page, { quality: limits.jpegQuality });
  const image = page.decode().toColourspace(coloursOf(page));
  if (format === 'webp') return finish(image.webp({ quality: limits.jpegQuality }));
  return finish(image.png({ compressionLevel: 6 }));
}

/** One page as a TIFF: black and white by G4, lossless by LZW, anything else by JPEG. */
export function encodeTiffPage(page: PageImage): Promise<Buffer> {
  // A huge page rendered small has next to no resolution; the format's numbers end somewhere.
  const perMillimetre = Math.max(1, page.dpi ?? 72) / 25.4;
  const compression = page.isBilevel ? 'ccittfax4' : page.isLossless ? 'lzw' : 'jpeg';
  const image = page.decode().toColourspace(coloursOf(page));
  const settings = {
    compression,
    quality: limits.pdfJpegQuality,
    ...(page.isBilevel ? ({ bitdepth: 1 } as const) : {}),
    xres: perMillimetre,
    yres: perMillimetre,
  } as const;
  return finish((compression === 'jpeg' ? image.flatten({ background: '#ffffff' }) : image).tiff(settings));
}

/** Decodes a file to its end at an eighth of its size: what is cut off or damaged shows. */
export const checkDecodes = async (page: PageImage): Promise<void> => {
  const width = Math.ceil(page.width / 8);
  await finish(page.decode().resize({ width }).raw());
};

/** Whether a picture that is within another file, which has bounds of its own, can be decoded to its end. */
export async function isDecodable(picture: Buffer, failOn: 'error' | 'warning' = 'error'): Promise<boolean> {
  try {
    const image = sharp(picture, { failOn, limitInputPixels: false });
    const { width } = await image.metadata();
    await image
      .resize({ width: Math.ceil(width / 8) })
      .raw()
      .toBuffer();
    return true;
  } catch {
    return false;
  }
}
