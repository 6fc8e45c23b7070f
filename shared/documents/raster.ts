/** Pixels of a page: RGBA, 8 bits, opaque. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  readonly data: Uint8Array<ArrayBuffer>;
}
