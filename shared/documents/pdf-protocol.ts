/**
 * What is said to the thread that renders PDF: open a document, make pages of it, close it. Whatever engine answers these
 * three messages can take the place of the present one.
 */
export type RendererRequest =
  | { readonly id: number; readonly do: 'open'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** `image`: not the page but the picture on it, in its own size; for JPEG 2000, which only this engine decodes. */
  | { readonly id: number; readonly do: 'page'; readonly index: number; readonly as: 'page' | 'image' }
  | { readonly id: number; readonly do: 'close' };

/** Pixels of a page: RGBA, 8 bits, opaque. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  readonly data: Uint8Array<ArrayBuffer>;
}

export type RendererReply =
  | { readonly id: number; readonly is: 'open'; readonly pageCount: number }
  | { readonly id: number; readonly is: 'page'; readonly raster: Raster }
  | { readonly id: number; readonly is: 'closed' }
  /** The document is at fault; the engine is sound. */
  | { readonly id: number; readonly is: 'refused'; readonly reason: string }
  /** The engine ran out of memory or broke: it must not be used again. */
  | { readonly id: number; readonly is: 'broken'; readonly reason: string };
