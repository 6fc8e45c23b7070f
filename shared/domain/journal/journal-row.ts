import * as z from 'zod/mini';
import { kindOf } from '../persons/attributes.ts';

/** Returns the requested names for the journal. Unknown names are only counted, because they could contain anything. */
export function journaledNames(
  names: readonly string[],
  extraAttributes: readonly string[],
): Pick<JournalDetails, 'names' | 'unknownNames'> {
  const known = names.filter((name) => kindOf(name, extraAttributes) !== undefined);
  const unknown = names.length - known.length;
  return { names: known, ...(unknown > 0 && { unknownNames: unknown }) };
}

/** The fields of a journal row in order. The indexes contain all of them. */
export const journalFields = [
  'at',
  'operation',
  'requestId',
  'caller',
  'purpose',
  'uin',
  'names',
  'unknownNames',
  'by',
  'doctype',
  'event',
  'topic',
  'ofCaller',
] as const;
export type JournalField = (typeof journalFields)[number];

/**
 * A journal row: an access to a person's data, or an event about a person. It names attributes but never contains their
 * values. Texts from the caller (`uin`, `doctype`, `purpose`) have at most 256 characters.
 */
export const journalRow = z.object({
  /** RFC 3339 with milliseconds. */
  at: z.string(),
  /** The operation or job; `publishEvent` for an event. */
  operation: z.string(),
  /** The request id in the log; the message id of an event. */
  requestId: z.string(),
  /** The issuer and the client, as for rate limits; `operator` for a job; empty if unknown. */
  caller: z.string(),
  purpose: z.optional(z.string()),
  /** Missing if a search found no person. */
  uin: z.optional(z.string()),
  names: z.optional(z.array(z.string())),
  /** Unknown names are only counted. */
  unknownNames: z.optional(z.int()),
  by: z.optional(z.array(z.string())),
  doctype: z.optional(z.string()),
  event: z.optional(z.string()),
  topic: z.optional(z.string()),
  ofCaller: z.optional(z.string()),
} satisfies Record<JournalField, unknown>);
export type JournalRow = z.infer<typeof journalRow>;

export type JournalDetails = Omit<JournalRow, 'at' | 'operation' | 'requestId' | 'caller' | 'purpose'>;

/** The rows of one request or event. `at` is epoch milliseconds, and rows expire after `days`. */
export interface JournalEntry {
  /** Unique for the entry and the same for every attempt to write it. */
  readonly id: string;
  readonly rows: readonly Omit<JournalRow, 'at'>[];
  readonly at: number;
  /** The time of a late write. Set if the hour of `at` may already be exported. */
  readonly lateAt?: number | undefined;
  readonly days: number;
}

export interface JournalPage {
  readonly rows: readonly JournalRow[];
  readonly next: string | undefined;
}
