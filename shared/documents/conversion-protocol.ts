import type { FaultName } from '../model/faults.ts';
import type { RefusalName } from '../model/refusals.ts';
import type { Conversion } from './plan-document.ts';

/** What the converting process is asked for. The document itself is in the scratch that both have open. */
export interface ConversionOrder {
  readonly conversion: Conversion;
  readonly bytes: number;
  /** All memory that the process may have. */
  readonly converterBytes: number;
}

/** What the converting thread tells: that it begins another page, and at last how it ended. */
export type ConversionReply = { readonly is: 'page' } | ConversionEnd;

export type ConversionEnd =
  /** The files are in the scratch, one after the other. */
  | { readonly is: 'made'; readonly lengths: readonly number[] }
  | { readonly is: 'refused'; readonly refusal: RefusalName; readonly message: string }
  | { readonly is: 'fault'; readonly fault: FaultName; readonly ids: Readonly<Record<string, string | number>> };

/** What the process tells of it: with its end, the memory that it holds. */
export type ConversionNews = { readonly is: 'page' } | (ConversionEnd & { readonly residentBytes: number });

/** The number under which the converting process has the scratch. */
export const scratchDescriptor = 3;
