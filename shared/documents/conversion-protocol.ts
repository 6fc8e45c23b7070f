import type { ClientErrorName } from '../domain/client-errors.ts';
import type { InternalErrorName } from '../domain/internal-errors.ts';
import type { Conversion } from './plan-document.ts';

export interface ConversionRequest {
  readonly conversion: Conversion;
  readonly bytes: number;
  readonly converterBytes: number;
}

export type ThreadMessage = { readonly is: 'page' } | ConversionResult;

export type ConversionResult =
  | { readonly is: 'made'; readonly lengths: readonly number[] }
  | { readonly is: 'refused'; readonly refusal: ClientErrorName; readonly message: string }
  | {
      readonly is: 'fault';
      readonly fault: InternalErrorName;
      readonly ids: Readonly<Record<string, string | number>>;
    };

export type ProcessMessage = { readonly is: 'page' } | (ConversionResult & { readonly residentBytes: number });

export const scratchDescriptor = 3;
