import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';
import { limits } from './limits.ts';
import type { Raster, RendererReply, RendererRequest } from './pdf-protocol.ts';

// The inside of the rendering thread: PDFium as WebAssembly. The one file that knows this engine.

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

const wasm = new WebAssembly.Module(readFileSync(new URL(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm'))));

/** Starts the engine so that it gets no more memory than the limit: above it, a request to grow is answered with 0. */
async function startEngine(): Promise<PDFiumLibrary> {
  const instantiateWasm = (imports: Imports, done: (instance: Instance) => void): object => {
    const { env } = imports;
    const capped = (bytes: number): unknown =>
      bytes >>> 0 > limits.rendererBytes ? 0 : env?.emscripten_resize_heap?.(bytes);
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

async function renderPage(page: PDFiumPage): Promise<Raster> {
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

const engine = startEngine();
let document: PDFiumDocument | undefined;

async function answer(request: RendererRequest): Promise<RendererReply> {
  const { id } = request;
  const library = await engine;
  if (request.do === 'open') {
    document = await library.loadDocument(request.bytes);
    return { id, is: 'open', pageCount: document.getPageCount() };
  }
  if (request.do === 'close') {
    document?.destroy();
    document = undefined;
    return { id, is: 'closed' };
  }
  if (document === undefined) throw new Error('no document is open');
  const page = document.getPage(request.index);
  const raster = await (request.as === 'page' ? renderPage(page) : decodePicture(page));
  return { id, is: 'page', raster };
}

const isEngineFault = (error: unknown): boolean =>
  error instanceof WebAssembly.RuntimeError ||
  error instanceof RangeError ||
  /abort|assert|allocate|memory/i.test(String((error as Error)?.message));

parentPort?.on('message', async (request: RendererRequest) => {
  try {
    const reply = await answer(request);
    parentPort?.postMessage(reply, reply.is === 'page' ? [reply.raster.data.buffer] : []);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const reply: RendererReply = isEngineFault(error)
      ? { id: request.id, is: 'broken', reason: 'it needs too much memory' }
      : { id: request.id, is: 'refused', reason: reasonOf(message) };
    parentPort?.postMessage(reply);
  }
});
