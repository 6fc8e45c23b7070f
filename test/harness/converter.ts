import { afterAll } from 'vitest';
import { limits } from '../../shared/documents/conversion-limits.ts';
import { type Bounds, createConverter } from '../../shared/documents/converter.ts';
import { type Conversion, detectFormat, planDocument } from '../../shared/documents/plan-document.ts';
import { ClientError, type ClientErrorName } from '../../shared/domain/client-errors.ts';
import type { Format } from '../../shared/domain/documents/document-format.ts';
import { peakMegabytes } from './peak-memory.ts';

export type Outcome =
  | { readonly is: 'made'; readonly parts: number }
  | { readonly is: 'refused'; readonly refusal: ClientErrorName; readonly message: string }
  /** An unexpected error. */
  | { readonly is: 'fault'; readonly message: string };

/**
 * Returns the conversion from one format to another.
 * @throws if the conversion is unnecessary or impossible
 */
export function conversionOf(bytes: Uint8Array, asked: Format, page?: number): Conversion {
  const plan = planDocument(detectFormat(bytes), asked, page);
  if (plan === undefined) throw new Error('no conversion is necessary');
  return plan;
}

const patientMs = 40_000;

/** Provides a converter for a test file. */
export function useConverter() {
  // The converter reads the limits before each conversion. Generous time limits let the tests pass on a busy machine.
  const bounds: { -readonly [Name in keyof Bounds]: number } = { ...limits, pageMilliseconds: patientMs };
  const converter = createConverter(bounds);
  let peak = 0;
  afterAll(() => converter.pid !== undefined && process.kill(converter.pid, 'SIGKILL'));

  /** @param milliseconds the time limit for the conversion; the default is longer than the product's limit */
  async function files(bytes: Uint8Array, asked: Format, milliseconds: number = patientMs) {
    const conversion = conversionOf(bytes, asked);
    const look = (): void => {
      peak = Math.max(peak, peakMegabytes(converter.pid ?? 0));
    };
    bounds.totalMilliseconds = milliseconds;
    const watch = setInterval(look, 10);
    try {
      return await converter.convert(bytes, conversion);
    } finally {
      clearInterval(watch);
      look();
    }
  }

  return {
    ...converter,
    bounds,
    get pid() {
      return converter.pid;
    },
    /** The highest memory use of all converter processes so far, in megabytes. */
    get peakMegabytes() {
      return peak;
    },
    files,
    async outcome(bytes: Uint8Array, asked: Format, milliseconds?: number): Promise<Outcome> {
      try {
        if (planDocument(detectFormat(bytes), asked) === undefined) return { is: 'made', parts: 1 };
        return { is: 'made', parts: (await files(bytes, asked, milliseconds)).length };
      } catch (error) {
        if (error instanceof ClientError) return { is: 'refused', refusal: error.errorName, message: error.message };
        return { is: 'fault', message: String(error) };
      }
    },
  };
}
