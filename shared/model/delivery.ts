import * as z from 'zod/mini';

export const outcomeClasses = ['delivered', 'http', 'timeout', 'refused', 'dns', 'tls', 'connection', 'email'] as const;

/** How one attempt to reach one subscription ended. `status` is there when the receiver answered. */
export const outcome = z.object({
  class: z.enum(outcomeClasses),
  status: z.optional(z.int()),
  /** How long the receiver asked us to wait (RFC 9110 section 10.2.3), at most 24 hours. */
  retryAfterSeconds: z.optional(z.int()),
});
export type Outcome = z.infer<typeof outcome>;

/**
 * What the ledger keeps of one subscription in one task: the outcome, and what follows from it. `moved`: not tried here,
 * because the subscription has been failing; it gets a task of its own, so that it holds up nobody.
 */
export const ledgerOutcome = z.object({
  class: z.enum([...outcomeClasses, 'moved']),
  status: z.optional(z.int()),
  /** Epoch milliseconds. */
  at: z.int(),
  next: z.enum(['none', 'retry', 'failed']),
  /** Epoch milliseconds before which the retry must not start; with `next: retry`. */
  notBefore: z.optional(z.int()),
});
export type LedgerOutcome = z.infer<typeof ledgerOutcome>;

/** Thrown for work that another copy is doing now: it goes back to the queue without being a fault. */
export class Busy extends Error {
  override readonly name = 'Busy';
}
