import { ClientError } from '../domain/client-errors.ts';

/** Limits of a conversion. Even a file of a few hundred bytes can make any engine hang or run out of memory. */
export const limits = {
  inputBytes: 50 * 1024 * 1024,
  inputPixels: 50_000_000,
  /** The maximum number of frames or pages in a file. Codecs read the whole file before they decode the first page. */
  frames: 1_000,
  /**
   * The maximum number of scans in a progressive JPEG. Each scan covers the whole picture, so many scans make decoding
   * slow. Encoders write about ten.
   */
  jpegScans: 100,
  pixelBits: 64,
  tiffFields: 500,
  profileBytes: 4 * 1024 * 1024,
  metadataBytes: 16 * 1024 * 1024,
  outputBytes: 50 * 1024 * 1024,
  renderDpi: 200,
  renderPixels: 20_000_000,
  pagesToImages: 20,
  pagesToPdf: 50,
  /** The time limit for a page. It starts again for each page. */
  pageMilliseconds: 8_000,
  /** The time limit for the whole conversion. */
  totalMilliseconds: 20_000,
  engineBytes: 512 * 1024 * 1024,
  /** A conversion process that uses more memory than this ends itself. */
  converterBytes: 1100 * 1024 * 1024,
  /** A process that uses more memory than this after a conversion is replaced. */
  restingBytes: 400 * 1024 * 1024,
  jpegQuality: 85,
  /** JPEG images in PDFs have a higher quality and full colour resolution, because people keep PDFs. */
  pdfJpegQuality: 90,
} as const;

/**
 * Part of each rendition's address. Increase this version when conversions start to return different bytes or to reject
 * different files.
 */
export const conversionVersion = 2;

/** The file itself cannot be converted, so another attempt would fail too. */
export const unconvertible = (message: string): ClientError => new ClientError('unconvertible', message);

export const damagedDocument = (): ClientError => unconvertible('the document cannot be converted: it is damaged');

export const tooManyPixels = (most: number): ClientError =>
  unconvertible(`the document has over ${most / 1e6} megapixels on one page`);

/** The conversion ran out of time or memory, so another attempt may succeed. */
export const conversionFailed = (message: string): ClientError =>
  new ClientError('conversionFailed', `${message}: request the document in its stored format`);

export const needsMemory = (): ClientError => conversionFailed('this document needs too much memory to convert');

export const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;
