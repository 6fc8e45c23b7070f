/** Bounds of a conversion: every engine can be hung or blown up by a file of a few hundred bytes. */
export const limits = {
  inputBytes: 50 * 1024 * 1024,
  inputPixels: 50_000_000,
  outputBytes: 50 * 1024 * 1024,
  /** Dots per inch at which pages of a PDF are rendered. */
  renderDpi: 200,
  /** A page that would be bigger is rendered smaller. */
  renderPixels: 20_000_000,
  pagesToImages: 20,
  pagesToPdf: 50,
  pageMilliseconds: 8_000,
  totalMilliseconds: 20_000,
  /** WebAssembly memory of the PDF renderer. */
  rendererBytes: 512 * 1024 * 1024,
  jpegQuality: 85,
  /** A PDF is a copy to keep: its pictures are finer, and their colour is not subsampled. */
  pdfJpegQuality: 90,
} as const;

/** Part of a rendition's address: raise it when a change makes other bytes. */
export const conversionVersion = 1;
