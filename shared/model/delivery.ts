import * as z from 'zod/mini';

export const outcomeClasses = ['delivered', 'http', 'timeout', 'refused', 'dns', 'tls', 'connection', 'email'] as const;

/** How one attempt to reach one subscription ended. `status` is there when the receiver answered. */
export const outcome = z.object({
  class: z.enum(outcomeClasses),
  status: z.optional(z.int()),
});
export type Outcome = z.infer<typeof outcome>;

/** What the ledger keeps of one subscription in one task: the outcome, and what follows from it. */
export const ledgerOutcome = z.object({
  ...outcome.shape,
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
