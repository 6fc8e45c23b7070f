import { afterAll } from 'vitest';
import { type Bounds, createConverter } from '../../shared/documents/converter.ts';
import { detectFormat } from '../../shared/documents/detect-format.ts';
import { limits } from '../../shared/documents/limits.ts';
import { type Conversion, planDocument } from '../../shared/documents/plan-document.ts';
import type { Format } from '../../shared/domain/documents/document-format.ts';
import { Refusal, type RefusalName } from '../../shared/model/refusals.ts';
import { peakMegabytes } from './peak-memory.ts';

export type Outcome =
  | { readonly is: 'made'; readonly parts: number }
  | { readonly is: 'refused'; readonly refusal: RefusalName; readonly message: string }
  /** Anything else that was thrown: a fault of ours. */
  | { readonly is: 'fault'; readonly message: string };

/** How a file becomes another format. @throws where it does not need to, or cannot */
export function conversionOf(bytes: Uint8Array, asked: Format, page?: number): Conversion {
  const plan = planDocument(detectFormat(bytes), asked, page);
  if (plan.is === 'refused') throw new Refusal(plan.refusal, plan.reason);
  if (plan.is === 'untouched') throw new Error('there is nothing to convert');
  return plan;
}

const patientMs = 40_000;

/** A converter with its process, for the tests of a file. */
export function useConverter() {
  // Read anew for each conversion. What is not about time has so much of it that other work on the machine makes no difference.
  const bounds: { -readonly [Name in keyof Bounds]: number } = { ...limits, pageMilliseconds: patientMs };
  const converter = createConverter(bounds);
  let peak = 0;
  afterAll(converter.stop);

  /** @param milliseconds that it may take; more than the product gives it by default */
  async function files(bytes: Uint8Array, asked: Format, milliseconds: number = patientMs) {
    const conversion = conversionOf(bytes, asked);
    const look = (): void => {
      peak = Math.max(peak, converter.pid === undefined ? 0 : peakMegabytes(converter.pid));
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
    /** The most memory that any of its processes has had so far. */
    get peakMegabytes() {
      return peak;
    },
    files,
    async outcome(bytes: Uint8Array, asked: Format, milliseconds?: number): Promise<Outcome> {
      try {
        if (planDocument(detectFormat(bytes), asked).is === 'untouched') return { is: 'made', parts: 1 };
        return { is: 'made', parts: (await files(bytes, asked, milliseconds)).length };
      } catch (error) {
        if (error instanceof Refusal) return { is: 'refused', refusal: error.refusal, message: error.message };
        return { is: 'fault', message: String(error) };
      }
    },
  };
}
