import { readFileSync } from 'node:fs';
import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';
import { ClientError } from '../../domain/client-errors.ts';
import { limits, needsMemory, unconvertible } from '../conversion-limits.ts';
import { type PageImage, type Pages, rasterImage } from '../image-codec.ts';
import { checkPictures } from './check-pictures.ts';
import { type PictureFunctions, picturesOf } from './page-pictures.ts';
import { hasBrokenMask, lacksPicture } from './unrendered-pictures.ts';

// PDFium, compiled to WebAssembly. Only this file depends on PDFium.

type Imports = Readonly<Record<string, Readonly<Record<string, (bytes: number) => unknown>>>>;
// The TypeScript types for WebAssembly are part of the DOM types, which this project does not use.
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: Imports) => { readonly exports: object };
  readonly RuntimeError: new () => Error;
}
const { WebAssembly } = globalThis as unknown as { WebAssembly: Engine };

/** Starts the engine with a memory limit. If an allocation would exceed the limit, the allocator returns 0. */
async function startEngine(): Promise<PDFiumLibrary> {
  const wasm = new WebAssembly.Module(readFileSync(new URL(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm'))));
  const instantiateWasm = (imports: Imports, done: (instance: object) => void): object => {
    const { env } = imports;
    const capped = (bytes: number): unknown =>
      bytes >>> 0 > limits.engineBytes ? 0 : env?.emscripten_resize_heap?.(bytes);
    const instance = new WebAssembly.Instance(wasm, { ...imports, env: { ...env, emscripten_resize_heap: capped } });
    done(instance);
    return instance.exports;
  };
  return PDFiumLibrary.init({ instantiateWasm });
}

/** Returns the size of a page in pixels at the standard resolution, reduced if there would be too many pixels. */
function sizeOf(page: PDFiumPage): { width: number; height: number; dpi: number } {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  if (!(originalWidth > 0 && originalHeight > 0)) throw new Error('a page of it cannot be read');
  const squareInches = (originalWidth / 72) * (originalHeight / 72);
  const dpi = Math.min(limits.renderDpi, Math.sqrt(limits.renderPixels / squareInches));
  const pixels = (points: number): number => Math.max(1, Math.round((points / 72) * dpi));
  return { width: pixels(originalWidth), height: pixels(originalHeight), dpi };
}

async function renderPage(page: PDFiumPage, number: number): Promise<PageImage> {
  const { module, pageIdx } = page as unknown as { readonly module: PictureFunctions; readonly pageIdx: number };
  await checkPictures(picturesOf(module, pageIdx), number);
  const { width, height, dpi } = sizeOf(page);
  // Render form fields, because a completed form would otherwise be blank.
  const options = { render: 'bitmap', renderFormFields: true, scale: 1, width, height } as const;
  const { data } = await page.render(options);
  return rasterImage(data, { width, height, dpi });
}

async function decodePicture(page: PDFiumPage): Promise<PageImage> {
  const picture = page.getObjectCount() === 1 ? page.getObject(0) : undefined;
  if (picture?.type !== 'image') throw new Error('its picture cannot be read');
  const { width, height, data } = await picture.render({ render: 'bitmap' });
  return rasterImage(data, { width, height, dpi: 72 });
}

function reasonOf(message: string): string {
  if (/password/i.test(message)) return 'it is protected by a password';
  if (/security/i.test(message)) return 'its encryption method is not supported';
  return 'it is damaged';
}

const isEngineFault = (error: unknown): boolean =>
  error instanceof WebAssembly.RuntimeError ||
  error instanceof RangeError ||
  /abort|assert|allocate|memory/i.test(String((error as Error)?.message));

/** Runs a call to the engine. @throws ClientError; do not use the engine again after `conversionFailed` */
async function run<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ClientError) throw error;
    if (isEngineFault(error)) throw needsMemory();
    const message = error instanceof Error ? error.message : String(error);
    throw unconvertible(`the document cannot be converted: ${reasonOf(message)}`);
  }
}

let engine: Promise<PDFiumLibrary> | undefined;

/**
 * Opens one PDF at a time. The returned method `read` throws the same errors.
 * @param as `image` decodes the only picture of a page at its original size. JPEG 2000 files need this, because only
 * PDFium supports them.
 * @throws ClientError `unconvertible` or `conversionFailed`
 */
export async function openPdf(bytes: Buffer, as: 'page' | 'image'): Promise<Pages> {
  engine ??= startEngine();
  const library = await engine;
  const document: PDFiumDocument = await run(() => library.loadDocument(bytes));
  const problem = lacksPicture(bytes) ? 'is missing' : (await hasBrokenMask(bytes)) ? 'has a damaged mask' : undefined;
  return {
    count: await run(() => document.getPageCount()),
    read: (index) =>
      run(() => {
        if (problem !== undefined)
          throw unconvertible(`the document cannot be converted: a picture ${problem}; request pdf`);
        const page = document.getPage(index);
        return as === 'page' ? renderPage(page, index + 1) : decodePicture(page);
      }),
    close: () => run(() => document.destroy()),
  };
}
