import sharp, { type JpegOptions, type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { ClientError } from '../domain/client-errors.ts';
import type { PageFormat } from '../domain/documents/document-format.ts';
import { damagedDocument, limits, tooManyPixels, unconvertible } from './conversion-limits.ts';

// Enable only the loaders for accepted formats, because loaders for other formats, such as SVG and HEIF, have been
// attack vectors.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Tiff', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}Buffer`),
});
sharp.cache(false);

/** A page as an image that has not been decoded yet. Width and height are in pixels, after rotation. */
export interface PageImage {
  readonly width: number;
  readonly height: number;
  readonly dpi: number | undefined;
  readonly isBilevel: boolean;
  readonly isLossless: boolean;
  /** The stored file, if it is an upright grey or RGB JPEG and therefore needs no conversion. */
  readonly jpeg: Uint8Array | undefined;
  readonly isGrey: boolean;
  decode(): Sharp;
  /** Frees the memory of the pixels immediately, because garbage collection may happen too late. */
  release?(): void;
}

/** An open file, whose pages can be read in any order; the first page has the index 0. */
export interface Pages {
  readonly count: number;
  read(index: number): Promise<PageImage>;
  close?(): Promise<void>;
}

const options: SharpOptions = { failOn: 'error', limitInputPixels: limits.inputPixels, autoOrient: true };

function clientErrorOf(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/memory/i.test(message)) return new ClientError('conversionFailed', 'this document needs too much memory');
  if (/pixel limit/i.test(message)) return tooManyPixels(limits.inputPixels);
  if (/too large|maximum|exceeds/i.test(message)) {
    return unconvertible('the document has too many pixels for the requested format: request pdf');
  }
  return damagedDocument();
}

/** Waits for the result of work on an image. @throws ClientError `unconvertible` or `conversionFailed` */
const run = <Value>(work: Promise<Value>): Promise<Value> =>
  work.catch((error: unknown) => {
    throw clientErrorOf(error);
  });

export const finish = (image: Sharp): Promise<Buffer> => run(image.toBuffer());

/**
 * Returns the resolution in dots per inch; undefined for 72, because the library returns 72 if the file states no
 * resolution.
 */
const statedDpi = ({ density }: Metadata): number | undefined =>
  density === undefined || density === 72 ? undefined : Math.min(2400, Math.max(36, density));

/** Reads a page of an image file; the first page has the index 0. The only page of an animation is its first frame. */
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

export async function countPages(bytes: Uint8Array): Promise<number> {
  const { format, pages = 1 } = await run(sharp(bytes, options).metadata());
  return format === 'tiff' ? pages : 1;
}

/** Creates the image of a page from decoded pixels, with four bytes per pixel. */
export const rasterImage = (data: Uint8Array, size: Pick<PageImage, 'width' | 'height' | 'dpi'>): PageImage => ({
  ...size,
  isBilevel: false,
  isLossless: false,
  jpeg: undefined,
  isGrey: false,
  decode: () => sharp(data, { raw: { width: size.width, height: size.height, channels: 4 } }).removeAlpha(),
  release: () => void (data.buffer as ArrayBuffer).transfer(0),
});

const coloursOf = ({ isGrey }: PageImage): 'b-w' | 'srgb' => (isGrey ? 'b-w' : 'srgb');

/** Converts a page to 8 bits, grey or sRGB, on a white background. */
const onPaper = (page: PageImage): Sharp =>
  page.decode().flatten({ background: '#ffffff' }).toColourspace(coloursOf(page));

/** Encodes a page as JPEG. For the largest pages, optimised coding would need too much memory (six bytes per pixel). */
export const encodeJpeg = (page: PageImage, settings: JpegOptions): Promise<Buffer> => {
  const optimiseCoding = page.width * page.height <= limits.renderPixels;
  return finish(onPaper(page).jpeg({ ...settings, optimiseCoding }));
};

export function encodePage(page: PageImage, format: PageFormat): Promise<Buffer> {
  if (format === 'jpeg') return encodeJpeg(page, { quality: limits.jpegQuality });
  const image = page.decode().toColourspace(coloursOf(page));
  if (format === 'webp') return finish(image.webp({ quality: limits.jpegQuality }));
  return finish(image.png({ compressionLevel: 6 }));
}

/** Encodes a page as TIFF: black-and-white pages with G4, lossless pages with LZW, and all other pages with JPEG. */
export function encodeTiffPage(page: PageImage): Promise<Buffer> {
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

/** Decodes an image at an eighth of its size, which is enough to detect truncation and damage. */
const atAnEighth = (image: Sharp, width: number): Sharp => image.resize({ width: Math.ceil(width / 8) }).raw();

/** @throws ClientError `unconvertible` if the page is truncated or damaged */
export const checkDecodes = (page: PageImage): Promise<unknown> => finish(atAnEighth(page.decode(), page.width));

/**
 * Returns whether an embedded picture can be decoded completely. The check of an embedded picture has no pixel limit,
 * because the picture is subject to the limits for PDF files.
 */
export async function isDecodable(picture: Buffer, failOn: 'error' | 'warning' = 'error'): Promise<boolean> {
  try {
    const image = sharp(picture, { failOn, limitInputPixels: false });
    const { width } = await image.metadata();
    await atAnEighth(image, width).toBuffer();
    return true;
  } catch {
    return false;
  }
}
