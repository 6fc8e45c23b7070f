/** Bounds of a conversion: every engine can be hung or blown up by a file of a few hundred bytes. */
export const limits = {
  inputBytes: 50 * 1024 * 1024,
  inputPixels: 50_000_000,
  /** Frames of an animation, and pages of a TIFF: codecs look at all of them before they show one. */
  frames: 1_000,
  /** Scans of a progressive JPEG, each of which goes over the whole picture. Encoders write about ten. */
  jpegScans: 100,
  /** A wider pixel of a TIFF counts as several. */
  pixelBits: 64,
  /** Fields of a page of a TIFF. */
  tiffFields: 500,
  /** A colour profile, and all that a file says about its picture together, unpacked. */
  profileBytes: 4 * 1024 * 1024,
  metadataBytes: 16 * 1024 * 1024,
  outputBytes: 50 * 1024 * 1024,
  /** Dots per inch at which pages of a PDF are rendered. */
  renderDpi: 200,
  /** A page that would be bigger is rendered smaller. */
  renderPixels: 20_000_000,
  pagesToImages: 20,
  pagesToPdf: 50,
  pageMilliseconds: 8_000,
  totalMilliseconds: 20_000,
  /** WebAssembly memory of the PDF engine. */
  engineBytes: 512 * 1024 * 1024,
  /** All memory of the converting process: above it, it ends itself. */
  converterBytes: 1100 * 1024 * 1024,
  /** With more than this after a conversion, the process is replaced by a fresh one. */
  restingBytes: 400 * 1024 * 1024,
  jpegQuality: 85,
  /** A PDF is a copy to keep: its pictures are finer, and their colour is not subsampled. */
  pdfJpegQuality: 90,
} as const;

/** Part of a rendition's address: raise it when a change makes other bytes, or refuses others. */
export const conversionVersion = 2;
