import { readFileSync } from 'node:fs';
import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';
import { Refusal } from '../../model/refusals.ts';
import { limits } from '../limits.ts';
import type { Raster } from '../raster.ts';
import { hasBrokenMask } from './broken-mask.ts';
import { checkPictures } from './check-pictures.ts';
import { lacksPicture } from './missing-picture.ts';
import { type PictureFunctions, picturesOf } from './page-pictures.ts';

// PDFium as WebAssembly. The one file that knows this engine.

type Imports = Readonly<Record<string, Readonly<Record<string, (bytes: number) => unknown>>>>;
interface Instance {
  readonly exports: object;
}
// The part of it that is needed here: its types come with the browser's, which Node has not.
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: Imports) => Instance;
  readonly RuntimeError: new () => Error;
}
const { WebAssembly } = globalThis as unknown as { WebAssembly: Engine };

/** Starts the engine so that it gets no more memory than the limit: above it, a request to grow is answered with 0. */
async function startEngine(): Promise<PDFiumLibrary> {
  const wasm = new WebAssembly.Module(readFileSync(new URL(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm'))));
  const instantiateWasm = (imports: Imports, done: (instance: Instance) => void): object => {
    const { env } = imports;
    const capped = (bytes: number): unknown =>
      bytes >>> 0 > limits.engineBytes ? 0 : env?.emscripten_resize_heap?.(bytes);
    const instance = new WebAssembly.Instance(wasm, { ...imports, env: { ...env, emscripten_resize_heap: capped } });
    done(instance);
    return instance.exports;
  };
  return PDFiumLibrary.init({ instantiateWasm });
}

/** Pixels of a page at the usual resolution, or as many as a page may have. */
function sizeOf(page: PDFiumPage): { width: number; height: number; dpi: number } {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  if (!(originalWidth > 0 && originalHeight > 0)) throw new Error('a page of it cannot be read');
  const squareInches = (originalWidth / 72) * (originalHeight / 72);
  const dpi = Math.min(limits.renderDpi, Math.sqrt(limits.renderPixels / squareInches));
  const pixels = (points: number): number => Math.max(1, Math.round((points / 72) * dpi));
  return { width: pixels(originalWidth), height: pixels(originalHeight), dpi };
}

/** Those of its functions that its own types keep to themselves. */
const insideOf = (page: PDFiumPage) =>
  page as unknown as { readonly module: PictureFunctions; readonly pageIdx: number };

async function renderPage(page: PDFiumPage, number: number): Promise<Raster> {
  const { module, pageIdx } = insideOf(page);
  await checkPictures(picturesOf(module, pageIdx), number);
  const { width, height, dpi } = sizeOf(page);
  // Without the form fields, a form that was filled in renders blank.
  const options = { render: 'bitmap', renderFormFields: true, scale: 1, width, height } as const;
  const { data } = await page.render(options);
  return { width, height, dpi, data: data as Uint8Array<ArrayBuffer> };
}

async function decodePicture(page: PDFiumPage): Promise<Raster> {
  const picture = page.getObjectCount() === 1 ? page.getObject(0) : undefined;
  if (picture?.type !== 'image') throw new Error('its picture cannot be read');
  const { width, height, data } = await picture.render({ render: 'bitmap' });
  return { width, height, dpi: 72, data: data as Uint8Array<ArrayBuffer> };
}

/** PDFium's words for what is wrong with a document, in ours. */
function reasonOf(message: string): string {
  if (/password/i.test(message)) return 'it is protected by a password';
  if (/security/i.test(message)) return 'it is encrypted in a way that cannot be read';
  return 'it is damaged';
}

const isEngineFault = (error: unknown): boolean =>
  error instanceof WebAssembly.RuntimeError ||
  error instanceof RangeError ||
  /abort|assert|allocate|memory/i.test(String((error as Error)?.message));

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isEngineFault(error)) {
    const words = 'this document needs too much memory to be converted; ask for the format that it is stored in';
    return new Refusal('conversionFailed', words);
  }
  const message = error instanceof Error ? error.message : String(error);
  return new Refusal('unconvertible', `the document cannot be converted: ${reasonOf(message)}`);
}

/** Does what the engine is asked for. @throws Refusal, after `conversionFailed` the engine must not be used again */
async function run<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error);
  }
}

/** A PDF that is open for rendering. Its owner must close it. */
interface OpenPdf {
  readonly pageCount: number;
  /** `image`: not the page but the picture on it, in its own size; for JPEG 2000, which only this engine decodes. */
  page(index: number, as: 'page' | 'image'): Promise<Raster>;
  close(): Promise<void>;
}

const withHole = 'the document cannot be converted: a picture that it shows';

let engine: Promise<PDFiumLibrary> | undefined;

/**
 * Opens a PDF, one at a time.
 * @throws Refusal `unconvertible` with the reason, or `conversionFailed`, and so do its pages
 */
export async function openPdf(bytes: Buffer): Promise<OpenPdf> {
  engine ??= startEngine();
  const library = await engine;
  const document: PDFiumDocument = await run(() => library.loadDocument(bytes));
  const hole = lacksPicture(bytes) ? 'is not in it' : (await hasBrokenMask(bytes)) ? 'has a damaged mask' : undefined;
  return {
    pageCount: await run(() => document.getPageCount()),
    page: (index, as) =>
      run(() => {
        if (hole !== undefined) throw new Refusal('unconvertible', `${withHole} ${hole}; ask for pdf`);
        const page = document.getPage(index);
        return as === 'page' ? renderPage(page, index + 1) : decodePicture(page);
      }),
    close: () => run(() => document.destroy()),
  };
}
