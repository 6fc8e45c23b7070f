import type { ClientErrorName } from '../domain/client-errors.ts';
import type { InternalErrorName } from '../domain/internal-errors.ts';
import type { Conversion } from './plan-document.ts';

export interface ConversionRequest {
  readonly conversion: Conversion;
  readonly bytes: number;
  readonly converterBytes: number;
}

export type ConversionOutcome =
  | { readonly is: 'made'; readonly lengths: readonly number[] }
  | { readonly is: 'refused'; readonly refusal: ClientErrorName; readonly message: string }
  | {
      readonly is: 'fault';
      readonly fault: InternalErrorName;
      readonly ids: Readonly<Record<string, string | number>>;
    };

/** The outcome of a conversion, and the memory that the process uses after it. */
export type ConversionResult = ConversionOutcome & { readonly residentBytes: number };

export type ConversionMessage = { readonly is: 'page' } | ConversionResult;
