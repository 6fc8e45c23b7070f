import * as z from 'zod/mini';
import type { JournalField } from './journal-fields.ts';

/**
 * One row of the journal: who asked for what of whom, or that an event told of somebody. It names attributes and never holds the
 * value of one. What is a caller's own text has a length: `uin` (of a person or not) and `doctype` 256 characters, `purpose` too.
 */
export const journalRow = z.object({
  /** RFC 3339, in milliseconds. */
  at: z.string(),
  /** The operation or job; of an event, `publishEvent`. */
  operation: z.string(),
  /** As the log has it; of an event, the message id. */
  requestId: z.string(),
  /** The issuer and the client, as limits count them; of a job, `operator`; empty where nobody knows. */
  caller: z.string(),
  /** What the caller said that it is for. */
  purpose: z.optional(z.string()),
  /** Whom it is about; missing where a search answered nobody. */
  uin: z.optional(z.string()),
  /** Attributes that were read or compared. */
  names: z.optional(z.array(z.string())),
  /** How many other names were asked for, which are no attributes here. */
  unknownNames: z.optional(z.int()),
  /** Attributes that were searched by. */
  by: z.optional(z.array(z.string())),
  /** Of a document. */
  doctype: z.optional(z.string()),
  /** Which of OSIA's 16 events. */
  event: z.optional(z.string()),
  topic: z.optional(z.string()),
  /** Whose rows were read, where not those of a person. */
  ofCaller: z.optional(z.string()),
} satisfies Record<JournalField, unknown>);
export type JournalRow = z.infer<typeof journalRow>;

/** What of a row is about the person, and differs within a request. */
export type About = Omit<JournalRow, 'at' | 'operation' | 'requestId' | 'caller' | 'purpose'>;

/** Rows of one request or event, of one moment (epoch milliseconds), kept for so many days from it. */
export interface JournalEntry {
  /** Of this entry alone, and the same for each try of its writing: by it its rows are known from all others. */
  readonly id: string;
  readonly rows: readonly Omit<JournalRow, 'at'>[];
  readonly at: number;
  /** When it is written, where that is so much later that the hour of `at` may have been exported. */
  readonly lateAt?: number | undefined;
  readonly days: number;
}

/** Rows by time, and where the next page begins; without `next` there are no more. */
export interface JournalPage {
  readonly rows: readonly JournalRow[];
  readonly next: string | undefined;
}
