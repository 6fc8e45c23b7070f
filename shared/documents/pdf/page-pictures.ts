export interface StoredPicture {
  readonly width: number;
  readonly height: number;
  /** The image codec of the stream; undefined if the engine has decoded the stream completely. */
  readonly codec: string | undefined;
  /** The colour depth; 0 if the engine cannot read the picture. */
  readonly bitsPerPixel: number;
  readonly colourSpace: number;
  readonly data: Buffer;
}

/** The PDFium functions for the pictures of a page (fpdf_edit.h). Addresses are numbers. */
export interface PictureFunctions {
  readonly HEAPU8: Uint8Array;
  readonly wasmExports: { malloc(bytes: number): number; free(at: number): void };
  _FPDFPage_CountObjects(page: number): number;
  _FPDFPage_GetObject(page: number, index: number): number;
  _FPDFFormObj_CountObjects(form: number): number;
  _FPDFFormObj_GetObject(form: number, index: number): number;
  _FPDFPageObj_GetType(object: number): number;
  _FPDFImageObj_GetImageMetadata(image: number, page: number, at: number): number;
  _FPDFImageObj_GetImageFilterCount(image: number): number;
  _FPDFImageObj_GetImageFilter(image: number, index: number, at: number, bytes: number): number;
  _FPDFImageObj_GetImageDataDecoded(image: number, at: number, bytes: number): number;
}

const [imageType, formType] = [3, 5];
const maxDepth = 12;
const codecs: readonly string[] = ['DCTDecode', 'JPXDecode', 'CCITTFaxDecode', 'JBIG2Decode'];
/** Short filter names in inline images (ISO 32000-1, table 94). */
const shortNames: Readonly<Record<string, string>> = { DCT: 'DCTDecode', CCF: 'CCITTFaxDecode' };

/**
 * Returns the bytes that a function of the engine has written to the engine's memory.
 * @throws RangeError if the engine is out of memory
 */
function readBytes(engine: PictureFunctions, bytes: number, write: (at: number) => unknown): Buffer {
  const at = engine.wasmExports.malloc(Math.max(1, bytes));
  if (at === 0) throw new RangeError('the engine has no memory left');
  try {
    write(at);
    return Buffer.from(engine.HEAPU8.slice(at, at + bytes));
  } finally {
    engine.wasmExports.free(at);
  }
}

function lastFilter(engine: PictureFunctions, image: number): string {
  const count = engine._FPDFImageObj_GetImageFilterCount(image);
  if (count === 0) return '';
  const bytes = engine._FPDFImageObj_GetImageFilter(image, count - 1, 0, 0);
  const name = readBytes(engine, bytes, (at) => engine._FPDFImageObj_GetImageFilter(image, count - 1, at, bytes));
  const text = name.toString('latin1').replace(/\0$/, '');
  return shortNames[text] ?? text;
}

function read(engine: PictureFunctions, image: number, page: number): StoredPicture {
  // The structure FPDF_IMAGEOBJ_METADATA contains the width, height, two resolutions, bits, colour space and content
  // id.
  const facts = readBytes(engine, 28, (at) => engine._FPDFImageObj_GetImageMetadata(image, page, at));
  const bytes = engine._FPDFImageObj_GetImageDataDecoded(image, 0, 0);
  const data = readBytes(engine, bytes, (at) => engine._FPDFImageObj_GetImageDataDecoded(image, at, bytes));
  const filter = lastFilter(engine, image);
  return {
    width: facts.readUInt32LE(0),
    height: facts.readUInt32LE(4),
    codec: codecs.includes(filter) ? filter : undefined,
    bitsPerPixel: facts.readUInt32LE(16),
    colourSpace: facts.readInt32LE(20),
    data,
  };
}

/** Yields the pictures on a page, including pictures in form objects. */
export function* picturesOf(engine: PictureFunctions, page: number): Generator<StoredPicture> {
  function* within(count: number, get: (index: number) => number, depth: number): Generator<StoredPicture> {
    for (let index = 0; index < count; index += 1) {
      const object = get(index);
      const type = engine._FPDFPageObj_GetType(object);
      if (type === imageType) yield read(engine, object, page);
      if (type === formType && depth < maxDepth) {
        const inside = engine._FPDFFormObj_CountObjects(object);
        yield* within(inside, (inner) => engine._FPDFFormObj_GetObject(object, inner), depth + 1);
      }
    }
  }
  yield* within(engine._FPDFPage_CountObjects(page), (index) => engine._FPDFPage_GetObject(page, index), 0);
}
