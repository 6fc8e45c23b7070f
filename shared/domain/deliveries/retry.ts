import type { Policy } from '../subscriptions/policy.ts';
import type { DeliveryOutcome, Outcome } from './outcome.ts';

const longestSeconds = 24 * 3600;

const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const time = String.raw`\d\d:\d\d:\d\d`;
// The three forms of an HTTP date (RFC 9110 section 5.6.7): IMF-fixdate, RFC 850, asctime.
const zonedDate = new RegExp(
  `^(?:${day}, \\d\\d [A-Z][a-z]{2} \\d{4}|[A-Z][a-z]+day, \\d\\d-[A-Z][a-z]{2}-\\d\\d) ${time} GMT$`,
);
const asctimeDate = new RegExp(`^${day} [A-Z][a-z]{2} [ \\d]\\d ${time} \\d{4}$`);

function readDate(text: string): number {
  if (zonedDate.test(text)) return Date.parse(text);
  return asctimeDate.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}

/**
 * Reads a `Retry-After` header (RFC 9110 section 10.2.3): seconds, or an HTTP date.
 * @param now epoch milliseconds
 * @returns seconds from now, 0 to 86400; undefined if the header is invalid
 */
export function readRetryAfter(header: string, now: number): number | undefined {
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((readDate(text) - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), longestSeconds);
}

// SQS delays a message by at most 900 seconds, so a longer wait is a chain of hops.
const longestHopSeconds = 900;

/** One stay in the queue `retry`. */
type Hop = { readonly isDue: true } | { readonly isDue: false; readonly delaySeconds: number };

/** @param notBefore epoch milliseconds */
export function nextHop(notBefore: number, now: number, hopSeconds = longestHopSeconds): Hop {
  const restMs = notBefore - now;
  if (restMs <= 0) return { isDue: true };
  return { isDue: false, delaySeconds: Math.min(hopSeconds, Math.ceil(restMs / 1000)) };
}

/** The number of messages that are tried at the same time while a receiver is failing. */
export const maxActiveMessages = 5;

const leastWaitMs = 30_000;
const mostWaitMs = 15 * 60_000;

const share = (part: number, failingSince: number, now: number): number => Math.max(0, now - failingSince) * part;

/**
 * The minimum time between two attempts while a receiver is failing: 5 % of the failing time, at most 15 minutes. In
 * milliseconds; 0 if it is not failing.
 */
export const failingGapMs = (failingSince: number | undefined, now: number): number =>
  failingSince === undefined ? 0 : Math.min(share(0.05, failingSince, now), mostWaitMs);

/**
 * How long a message waits while older ones are tried: 10 % of the failing time, 30 seconds to 15 minutes, in
 * milliseconds. Longer than the gap between two attempts, so that the older messages keep their turn.
 */
export const turnWaitMs = (failingSince: number, now: number): number =>
  Math.round(Math.min(Math.max(leastWaitMs, share(0.1, failingSince, now)), mostWaitMs));

/** Whether the message is one of the oldest that are tried now or soon. */
export const isItsTurn = (messageId: string, oldest: readonly string[]): boolean =>
  oldest.length < maxActiveMessages || oldest.slice(0, maxActiveMessages).includes(messageId);

export interface AttemptEnd {
  readonly policy: Policy;
  /** Attempts made before under this policy: 0 for the first attempt. */
  readonly attempt: number;
  readonly outcome: Outcome;
  /** Epoch milliseconds. */
  readonly endedAt: number;
  /** From 0 to 1. Spreads the retries, so that they do not start in the same second. */
  readonly jitter: number;
  /** When the receiver began to fail, as known before this attempt; epoch milliseconds. */
  readonly failingSince?: number | undefined;
}

/** The receiver wants no more requests (RFC 9110 section 15.5.11). */
export const isGone = ({ class: kind, status }: Pick<Outcome | DeliveryOutcome, 'class' | 'status'>): boolean =>
  kind === 'http' && status === 410;

// A retry may be late by 5 % or 30 s, whichever is smaller. Half of that is left for the queues.
const latenessSeconds = (countdownSeconds: number): number => Math.min(countdownSeconds * 0.025, 15);

/**
 * Decides what follows an attempt: nothing after a delivery; a retry while the policy has retries left (-1: always);
 * otherwise the message has failed. The retry waits for the longest of `countdownSeconds`, `Retry-After` and the gap of
 * a failing receiver.
 */
export function decideRetry({ policy, attempt, outcome, endedAt, jitter, failingSince }: AttemptEnd): DeliveryOutcome {
  const { retryAfterSeconds = 0, isPostponed = false, isLeft = false, ...kept } = outcome;
  const record = { ...kept, at: endedAt };
  if (outcome.class === 'delivered' || isLeft) return { ...record, next: 'none' };
  // Our own limit stopped this attempt, so it needs no countdown.
  if (isPostponed) return { ...record, isPostponed, next: 'retry', notBefore: endedAt + retryAfterSeconds * 1000 };
  const hasRetryLeft = policy.maxRetries === -1 || attempt < policy.maxRetries;
  if (!hasRetryLeft || isGone(outcome)) return { ...record, next: 'failed' };
  const gapSeconds = failingGapMs(failingSince, endedAt) / 1000;
  const waitSeconds = Math.max(policy.countdownSeconds, retryAfterSeconds, gapSeconds);
  const late = Math.round(jitter * latenessSeconds(policy.countdownSeconds) * 1000);
  return { ...record, next: 'retry', notBefore: Math.ceil(endedAt + waitSeconds * 1000) + late };
}

/** A test event is retried only if one of our limits stopped it. */
export const decideTest = (end: AttemptEnd): DeliveryOutcome => {
  const { retryAfterSeconds: _, isPostponed = false, isLeft: __, ...kept } = end.outcome;
  return isPostponed ? decideRetry(end) : { ...kept, at: end.endedAt, next: 'none' };
};
