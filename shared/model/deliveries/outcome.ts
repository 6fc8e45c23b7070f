import * as z from 'zod/mini';
import { protocols } from '../../domain/subscriptions/subscription.ts';

export const outcomeClasses = [
  'delivered',
  /** The name does not resolve. */
  'dns',
  /** No connection, or one that broke: refused, unreachable, reset, closed, or no HTTP spoken on it. */
  'connect',
  'tls',
  /** No answer by the deadline. */
  'timeout',
  /** The address, or one that its name resolves to, is not public. */
  'blocked',
  /** Its owner never wants to be asked to confirm. */
  'declined',
  /** Said more before its status than we read. */
  'too-large',
  /** Refused in the words of the protocol: by http a status that is not 2xx, by e-mail a mail that the service does not take. */
  ...protocols,
  /** The answer of the service that takes the message was lost: it may have taken it. */
  'unknown',
] as const;

/** How one attempt to reach one subscription ended. */
export const outcome = z.object({
  class: z.enum(outcomeClasses),
  /** The receiver's, with `delivered` and `http`. */
  status: z.optional(z.int()),
  /** How long to wait at the least: what the receiver asked for by `Retry-After` with a 429 or 503, at most a day. */
  retryAfterSeconds: z.optional(z.int()),
  /** True when a limit of ours held it up before the receiver had a part in it: no policy ends by that. */
  isPostponed: z.optional(z.boolean()),
  /** True when it is not known whether it was delivered, and it is not to be tried again. */
  isLeft: z.optional(z.boolean()),
});
export type Outcome = z.infer<typeof outcome>;

/**
 * What the ledger keeps of one subscription in one task: the outcome, and what follows from it. `split`: not tried here,
 * because the subscription has been failing; it gets a task of its own, so that it holds up nobody.
 */
export const ledgerOutcome = z.object({
  class: z.enum([...outcomeClasses, 'split']),
  status: z.optional(z.int()),
  /** A limit or fault of ours held it up: the policy counts from the next attempt. */
  isPostponed: z.optional(z.boolean()),
  /** Epoch milliseconds. */
  at: z.int(),
  next: z.enum(['none', 'retry', 'failed']),
  /** Epoch milliseconds before which the retry must not start; with `next: retry`. */
  notBefore: z.optional(z.int()),
  /** How long the receiver took, milliseconds. */
  tookMs: z.optional(z.int()),
});
export type LedgerOutcome = z.infer<typeof ledgerOutcome>;

/**
 * An attempt that others came after, in as few bytes as may be: its class, the receiver's status, when it ended (epoch
 * milliseconds), how long the receiver took (milliseconds).
 */
export const pastAttempt = z.tuple([z.enum(outcomeClasses), z.nullable(z.int()), z.int(), z.nullable(z.int())]);
export type PastAttempt = z.infer<typeof pastAttempt>;
