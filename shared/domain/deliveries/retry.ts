import type { Policy } from '../subscriptions/policy.ts';
import { dayMs } from '../time.ts';
import type { DeliveryOutcome, Outcome } from './outcome.ts';
import { isDead } from './parking.ts';

const longestSeconds = 24 * 3600;

const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const time = String.raw`\d\d:\d\d:\d\d`;
// The three HTTP date formats (RFC 9110 section 5.6.7): IMF-fixdate, RFC 850 and asctime.
const zonedDate = new RegExp(
  `^(?:${day}, \\d\\d [A-Z][a-z]{2} \\d{4}|[A-Z][a-z]+day, \\d\\d-[A-Z][a-z]{2}-\\d\\d) ${time} GMT$`,
);
const asctimeDate = new RegExp(`^${day} [A-Z][a-z]{2} [ \\d]\\d ${time} \\d{4}$`);

function readDate(text: string): number {
  if (zonedDate.test(text)) return Date.parse(text);
  return asctimeDate.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}

/**
 * Parses a `Retry-After` header, which contains a number of seconds or an HTTP date (RFC 9110 section 10.2.3).
 * @param now epoch milliseconds
 * @returns seconds from now, 0 to 86400; undefined if the header is invalid
 */
export function readRetryAfter(header: string, now: number): number | undefined {
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((readDate(text) - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), longestSeconds);
}

// SQS delays a message by at most 900 seconds, so longer waits are divided into hops.
const longestHopSeconds = 900;

/**
 * Returns the delay in the `retry` queue for the next hop of a retry that waits until `notBefore` (epoch milliseconds).
 * Returns 0 if the retry is due.
 */
export const nextHopSeconds = (notBefore: number, now: number, most = longestHopSeconds): number =>
  Math.min(most, Math.max(0, Math.ceil((notBefore - now) / 1000)));

const mostWaitMs = 15 * 60_000;

/**
 * Returns the minimum interval in milliseconds between two attempts to reach a failing receiver. The interval is 5 % of
 * the time since the receiver began to fail, but at most 15 minutes. A dead receiver gets one attempt per day. Returns
 * 0 if the receiver is not failing.
 */
export function failingGapMs(failingSince: number | undefined, now: number, deliveryDays: number): number {
  if (failingSince === undefined) return 0;
  if (isDead(failingSince, now, deliveryDays)) return dayMs;
  return Math.min(Math.max(0, now - failingSince) * 0.05, mostWaitMs);
}

export interface AttemptEnd {
  readonly policy: Policy;
  /** The number of earlier attempts that count towards the policy's limit: 0 for the first attempt. */
  readonly attempt: number;
  readonly outcome: Outcome;
  /** Epoch milliseconds. */
  readonly endedAt: number;
  /** A random number from 0 to 1 that spreads retries over time, so that they do not all start in the same second. */
  readonly jitter: number;
  /** The time when the receiver began to fail, as recorded before this attempt (epoch milliseconds). */
  readonly failingSince?: number | undefined;
  readonly deliveryDays: number;
}

/** Returns whether the receiver permanently refuses requests (status 410, RFC 9110 section 15.5.11). */
export const isGone = ({ class: kind, status }: Pick<Outcome | DeliveryOutcome, 'class' | 'status'>): boolean =>
  kind === 'http' && status === 410;

// A retry may be late by up to 5 % of its countdown or 30 s, whichever is less. Half of the permitted delay is reserved
// for delays in the queues.
const latenessSeconds = (countdownSeconds: number): number => Math.min(countdownSeconds * 0.025, 15);

/**
 * Decides what happens after an attempt. A failed attempt is retried while the policy has retries left (-1 means
 * unlimited). If no retries are left, the delivery fails permanently. The wait before a retry is the longest of
 * `countdownSeconds`, `Retry-After` and `failingGapMs`.
 */
export function decideRetry(end: AttemptEnd): DeliveryOutcome {
  const { policy, attempt, outcome, endedAt, jitter, failingSince, deliveryDays } = end;
  const { retryAfterSeconds = 0, isPostponed = false, isLeft = false, isInternal: _, ...kept } = outcome;
  const record = { ...kept, at: endedAt };
  if (outcome.class === 'delivered' || isLeft) return { ...record, next: 'none' };
  // An internal limit stopped the attempt, so the policy's countdown does not apply.
  if (isPostponed) return { ...record, isPostponed, next: 'retry', notBefore: endedAt + retryAfterSeconds * 1000 };
  const hasRetryLeft = policy.maxRetries === -1 || attempt < policy.maxRetries;
  if (!hasRetryLeft || isGone(outcome)) return { ...record, next: 'failed' };
  const gapSeconds = failingGapMs(failingSince, endedAt, deliveryDays) / 1000;
  const waitSeconds = Math.max(policy.countdownSeconds, retryAfterSeconds, gapSeconds);
  const late = Math.round(jitter * latenessSeconds(policy.countdownSeconds) * 1000);
  return { ...record, next: 'retry', notBefore: Math.ceil(endedAt + waitSeconds * 1000) + late };
}

/**
 * Decides what happens after an attempt to send a test event. A test event is retried only if an internal limit stopped
 * the attempt.
 */
export const decideTest = (end: AttemptEnd): DeliveryOutcome => {
  const { retryAfterSeconds: _, isPostponed = false, isLeft: __, isInternal: ___, ...kept } = end.outcome;
  return isPostponed ? decideRetry(end) : { ...kept, at: end.endedAt, next: 'none' };
};
