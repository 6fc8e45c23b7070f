import { documentFormats } from '../domain/documents/document-format.ts';
import type { FailedRendition, Rendition, RenditionStore } from '../domain/documents/rendition.ts';
import { type Source, sourceAddress } from '../domain/documents/source-address.ts';
import { Refusal } from '../model/refusals.ts';
import type { Converter } from './converter.ts';
import { conversionVersion, limits } from './limits.ts';
import type { Conversion } from './plan-document.ts';

/** Where a conversion is kept: below its source as it is now, by everything else that makes a difference to the result. */
function renditionAddress(source: Source, { write, page }: Conversion): string {
  const single = page === undefined ? '' : `-p${page}`;
  return `${sourceAddress(source)}/${write}-${limits.renderDpi}dpi-q${limits.jpegQuality}-v${conversionVersion}${single}`;
}

/** A verdict on the file. That time or memory ran out may be our own fault, or the fault of what ran before: it says nothing. */
const isVerdict = (error: unknown): error is Refusal & { refusal: FailedRendition['refusal'] } =>
  error instanceof Refusal && error.refusal === 'unconvertible';

/** What is told of the conversions that are made, and of faults in keeping them, which do not fail the answer. */
export interface Hears {
  converted(milliseconds: number): void;
  notKept(error: unknown): void;
}

/** What conversions are made with. */
export interface Rendering {
  readonly renditions: RenditionStore;
  readonly converter: Pick<Converter, 'convert'>;
  readonly hears: Hears;
}

/** Answers a conversion that was made before, or makes and keeps it. That a file cannot be converted is kept too. */
export async function renderOnce(
  bytes: Uint8Array,
  source: Source,
  conversion: Conversion,
  { renditions, converter, hears }: Rendering,
): Promise<Rendition> {
  const address = renditionAddress(source, conversion);
  const known = await renditions.get(address);
  if (known !== undefined && 'refusal' in known) throw new Refusal(known.refusal, known.message);
  if (known !== undefined) return known.parts;
  const began = Date.now();
  try {
    const parts = await converter.convert(bytes, conversion);
    await renditions.put(address, parts, documentFormats[conversion.write].extension).catch(hears.notKept);
    return parts;
  } catch (error) {
    if (isVerdict(error)) {
      const { refusal, message } = error;
      await renditions.putFailure(address, { refusal, message }).catch(hears.notKept);
    }
    throw error;
  } finally {
    hears.converted(Date.now() - began);
  }
}
