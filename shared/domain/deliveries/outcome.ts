import * as z from 'zod/mini';
import { protocols } from '../subscriptions/subscription.ts';

/** The number of attempts that a row remembers, including the last one. */
export const mostAttempts = 10;

/** Returns undefined if the receiver had no part in the outcome. */
export function attemptOf(outcome: DeliveryOutcome | undefined): PastAttempt | undefined {
  if (outcome === undefined || outcome.class === 'split' || outcome.isPostponed) return undefined;
  const { class: kind, status = null, at, tookMs = null } = outcome;
  return [kind, status, at, tookMs];
}

/** Returns the attempts before the current one, oldest first. */
export function pastAttempts(past: readonly PastAttempt[], last: DeliveryOutcome | undefined): readonly PastAttempt[] {
  const attempt = attemptOf(last);
  return attempt === undefined ? past : [...past, attempt].slice(1 - mostAttempts);
}

export const outcomeClasses = [
  'delivered',
  /** The name does not resolve. */
  'dns',
  /** No connection, or a broken one: rejected, unreachable, reset, closed, or without HTTP. */
  'connect',
  'tls',
  'timeout',
  /** The address, or one that its name resolves to, is not public. */
  'blocked',
  'declined',
  'too-large',
  /** Rejected by the protocol: by http a status other than 2xx, by e-mail a mail that the service does not accept. */
  ...protocols,
  /** The service's response was lost, so the service may have accepted the message. */
  'unknown',
] as const;

export const outcome = z.object({
  class: z.enum(outcomeClasses),
  /** The receiver's status, with `delivered` and `http`. */
  status: z.optional(z.int()),
  /** The minimum wait: `Retry-After` with status 429 or 503, at most a day. */
  retryAfterSeconds: z.optional(z.int()),
  /** One of our limits stopped the attempt, so it does not count. */
  isPostponed: z.optional(z.boolean()),
  /** The delivery is uncertain, and must not be retried. */
  isLeft: z.optional(z.boolean()),
});
export type Outcome = z.infer<typeof outcome>;

/** The stored outcome of an attempt, and what comes next. `split`: retried at once as a single delivery. */
export const deliveryOutcome = z.object({
  class: z.enum([...outcomeClasses, 'split']),
  status: z.optional(z.int()),
  /** Our limit or error stopped it: the policy counts from the next attempt. */
  isPostponed: z.optional(z.boolean()),
  /** Epoch milliseconds. */
  at: z.int(),
  next: z.enum(['none', 'retry', 'failed']),
  /** The earliest time of the retry, epoch milliseconds. */
  notBefore: z.optional(z.int()),
  /** The receiver's time, milliseconds. */
  tookMs: z.optional(z.int()),
});
export type DeliveryOutcome = z.infer<typeof deliveryOutcome>;

/** An earlier attempt in a compact form: class, status, end (epoch milliseconds), duration (milliseconds). */
export const pastAttempt = z.tuple([z.enum(outcomeClasses), z.nullable(z.int()), z.int(), z.nullable(z.int())]);
export type PastAttempt = z.infer<typeof pastAttempt>;
