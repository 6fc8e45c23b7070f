import * as z from 'zod/mini';
import { type Failure, protocols } from '../subscriptions/subscription.ts';

/** The maximum number of attempts that a table row stores, including the last attempt. */
const mostAttempts = 10;

/** Returns the attempt that an outcome describes; undefined if no attempt was made or the attempt does not count. */
export function attemptOf(outcome: DeliveryOutcome | undefined): PastAttempt | undefined {
  if (outcome === undefined || outcome.class === 'split' || outcome.class === 'expired' || outcome.isPostponed)
    return undefined;
  const { class: kind, status = null, at, tookMs = null, code } = outcome;
  return code === undefined ? [kind, status, at, tookMs] : [kind, status, at, tookMs, code];
}

/** Returns the attempts before the current attempt, oldest first. */
export function pastAttempts(past: readonly PastAttempt[], last: DeliveryOutcome | undefined): readonly PastAttempt[] {
  const attempt = attemptOf(last);
  return attempt === undefined ? past : [...past, attempt].slice(1 - mostAttempts);
}

export const outcomeClasses = [
  'delivered',
  /** The host name does not resolve. */
  'dns',
  /** The connection was refused, reset or closed, the host was unreachable, or the response was not HTTP. */
  'connect',
  'tls',
  'timeout',
  /** The address is not public, or its host name resolves to an address that is not public. */
  'blocked',
  'declined',
  'too-large',
  /** The receiver rejected the message: the HTTP status is not 2xx, or the email service did not accept the email. */
  ...protocols,
  /** The response was lost, so the email service may have accepted the message. */
  'unknown',
] as const;

/** The result of an attempt. */
export interface Outcome extends Pick<DeliveryOutcome, 'status' | 'code' | 'isPostponed'> {
  class: (typeof outcomeClasses)[number];
  /** True if the receiver's address is in `allowedNetworks`. */
  isInternal?: boolean | undefined;
  /**
   * The minimum wait before a retry: the value of `Retry-After` in a response with status 429 or 503, but at most one
   * day.
   */
  retryAfterSeconds?: number | undefined;
  /** True if the message may have been delivered and must not be retried. */
  isLeft?: boolean | undefined;
}

/** The stored outcome of an attempt, and the next step. */
export const deliveryOutcome = z.object({
  class: z.enum([
    ...outcomeClasses,
    /** The message becomes a single delivery immediately. */
    'split',
    /** The message was parked until it expired. */
    'expired',
  ]),
  /** The HTTP status, for the classes `delivered` and `http`. */
  status: z.optional(z.int()),
  /** The system error code of a failure without a status, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  code: z.optional(z.string()),
  /** True if an internal limit or error stopped the attempt. A postponed attempt does not use up a retry. */
  isPostponed: z.optional(z.boolean()),
  /** Epoch milliseconds. */
  at: z.int(),
  next: z.enum([
    'none',
    'retry',
    /** A probe failed, so the message remains parked. */
    'parked',
    'failed',
  ]),
  /** The earliest time of the retry (epoch milliseconds). */
  notBefore: z.optional(z.int()),
  /** The receiver's response time in milliseconds. */
  tookMs: z.optional(z.int()),
});
export type DeliveryOutcome = z.infer<typeof deliveryOutcome>;

/** Returns the failure that an attempt describes. */
export const failureOf = ({ class: kind, status, code, at }: Failure) => ({
  class: kind,
  ...(status !== undefined && { status }),
  ...(code !== undefined && { code }),
  at,
});

/**
 * An earlier attempt in a compact form: class, status, end time (epoch milliseconds), duration (milliseconds), and
 * code.
 */
export const pastAttempt = z.tuple([
  ...([z.enum(outcomeClasses), z.nullable(z.int()), z.int(), z.nullable(z.int())] as const),
  z.optional(z.string()),
]);
export type PastAttempt = z.infer<typeof pastAttempt>;
