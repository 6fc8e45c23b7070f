import * as z from 'zod/mini';
import { kindOf } from '../persons/attributes.ts';

/**
 * Returns the attribute names to record in the journal. Unknown names, which could contain anything, are only counted.
 */
export function journaledNames(
  names: readonly string[],
  extraAttributes: readonly string[],
): Pick<JournalDetails, 'names' | 'unknownNames'> {
  const known = names.filter((name) => kindOf(name, extraAttributes) !== undefined);
  const unknown = names.length - known.length;
  return { names: known, ...(unknown > 0 && { unknownNames: unknown }) };
}

/**
 * A journal row records an access to a person's data or an event about a person. The row names attributes but never
 * contains their values. Texts from the caller (`uin`, `doctype`, `purpose`) have at most 256 characters.
 */
export const journalRow = z.object({
  /** RFC 3339 with milliseconds. */
  at: z.string(),
  /** The name of the operation or job; `publishEvent` for an event. */
  operation: z.string(),
  /** The request id in the log or, for an event, the message id. */
  requestId: z.string(),
  /** The issuer and client of the access token; `operator` for a job; empty if the caller is unknown. */
  caller: z.string(),
  purpose: z.optional(z.string()),
  /** The person's UIN; missing if a search found no person. */
  uin: z.optional(z.string()),
  names: z.optional(z.array(z.string())),
  /** Unknown names are only counted. */
  unknownNames: z.optional(z.int()),
  by: z.optional(z.array(z.string())),
  doctype: z.optional(z.string()),
  /** The person's former UIN, under which the document is stored. */
  formerUin: z.optional(z.string()),
  event: z.optional(z.string()),
  topic: z.optional(z.string()),
  ofCaller: z.optional(z.string()),
});
export type JournalRow = z.infer<typeof journalRow>;
export type JournalField = keyof JournalRow;

/** The fields of a journal row, in order. Every index contains all fields. */
export const journalFields: readonly string[] = Object.keys(journalRow.shape);

export type JournalDetails = Omit<JournalRow, 'at' | 'operation' | 'requestId' | 'caller' | 'purpose'>;

/** The journal rows of one request or event. The rows expire after the given number of days. */
export interface JournalEntry {
  /** The unique id of the entry; every attempt to write the entry uses the same id. */
  readonly id: string;
  readonly rows: readonly Omit<JournalRow, 'at'>[];
  /** Epoch milliseconds. */
  readonly at: number;
  /** The time of a late write; set if the hour of `at` may already have been exported. */
  readonly lateAt?: number | undefined;
  readonly days: number;
}

export interface JournalPage {
  readonly rows: readonly JournalRow[];
  readonly next: string | undefined;
}
