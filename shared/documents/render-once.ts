import { ClientError } from '../domain/client-errors.ts';
import { documentFormats } from '../domain/documents/document-format.ts';
import { type Rendition, type RenditionStore, type Source, sourceAddress } from '../domain/documents/rendition.ts';
import { conversionVersion, limits } from './conversion-limits.ts';
import type { Converter } from './converter.ts';
import type { Conversion } from './plan-document.ts';

function renditionAddress(source: Source, { write, page }: Conversion): string {
  const single = page === undefined ? '' : `-p${page}`;
  return `${sourceAddress(source)}/${write}-${limits.renderDpi}dpi-q${limits.jpegQuality}-v${conversionVersion}${single}`;
}

export interface Rendering {
  readonly renditions: RenditionStore;
  readonly converter: Pick<Converter, 'convert'>;
  /** Callbacks that receive metrics and storage errors. A storage error does not make the request fail. */
  readonly callbacks: {
    onConverted(milliseconds: number): void;
    onNotStored(error: unknown): void;
  };
}

/**
 * Returns a stored rendition, or converts the document and stores the result. Also stores failures that the file
 * caused.
 */
export async function renderOnce(
  bytes: Uint8Array,
  source: Source,
  conversion: Conversion,
  { renditions, converter, callbacks }: Rendering,
): Promise<Rendition> {
  const address = renditionAddress(source, conversion);
  const known = await renditions.get(address);
  if (known !== undefined && 'refusal' in known) throw new ClientError(known.refusal, known.message);
  if (known !== undefined) return known.parts;
  const began = Date.now();
  try {
    const parts = await converter.convert(bytes, conversion);
    await renditions.put(address, parts, documentFormats[conversion.write].extension).catch(callbacks.onNotStored);
    return parts;
  } catch (error) {
    // The file itself caused the error. A lack of time or memory may have another cause.
    if (error instanceof ClientError && error.errorName === 'unconvertible') {
      const { errorName: refusal, message } = error;
      await renditions.putFailure(address, { refusal, message }).catch(callbacks.onNotStored);
    }
    throw error;
  } finally {
    callbacks.onConverted(Date.now() - began);
  }
}
