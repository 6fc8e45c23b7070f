import type { LedgerOutcome, Outcome } from '../../model/deliveries/outcome.ts';
import type { Policy } from '../subscriptions/policy.ts';
import { failingGapMs } from './turn.ts';

export interface AttemptEnd {
  readonly policy: Policy;
  /** Attempts made before this one under this policy: 0 for the first, then 1 to `maxRetries`. */
  readonly attempt: number;
  readonly outcome: Outcome;
  /** Epoch milliseconds at which the attempt ended. */
  readonly endedAt: number;
  /** From 0 to 1: where in its span of lateness the retry starts, so that not all come back in the same second. */
  readonly jitter: number;
  /** When its receiver began to fail, as far as was known before this attempt; epoch milliseconds. */
  readonly failingSince?: number | undefined;
}

/** The receiver asked not to be called again (RFC 9110 section 15.5.11). */
export const isGone = ({ class: kind, status }: Pick<Outcome | LedgerOutcome, 'class' | 'status'>): boolean =>
  kind === 'http' && status === 410;

// A retry may be late by 5 % or 30 s, the smaller; half of it is for the queues.
const latenessSeconds = (countdownSeconds: number): number => Math.min(countdownSeconds * 0.025, 15);

/**
 * What follows an attempt: nothing when it delivered; a retry no earlier than `countdownSeconds`, or as long as the
 * receiver asked for, or as is due to one that has been failing for long, after its end while the policy has retries left
 * (-1: always); else the message has failed for this subscription.
 */
export function decideRetry({ policy, attempt, outcome, endedAt, jitter, failingSince }: AttemptEnd): LedgerOutcome {
  const { retryAfterSeconds = 0, isPostponed = false, isLeft = false, ...kept } = outcome;
  const record = { ...kept, at: endedAt };
  if (outcome.class === 'delivered' || isLeft) return { ...record, next: 'none' };
  // What our own limit held up was not the receiver's last chance, and need not wait for its countdown.
  if (isPostponed) return { ...record, isPostponed, next: 'retry', notBefore: endedAt + retryAfterSeconds * 1000 };
  const hasRetryLeft = policy.maxRetries === -1 || attempt < policy.maxRetries;
  if (!hasRetryLeft || isGone(outcome)) return { ...record, next: 'failed' };
  const gapSeconds = failingGapMs(failingSince, endedAt) / 1000;
  const waitSeconds = Math.max(policy.countdownSeconds, retryAfterSeconds, gapSeconds);
  const late = Math.round(jitter * latenessSeconds(policy.countdownSeconds) * 1000);
  return { ...record, next: 'retry', notBefore: Math.ceil(endedAt + waitSeconds * 1000) + late };
}

/** What follows an attempt at a test event: nothing, whatever came of it, but where a limit of ours held it up. */
export const decideTest = (end: AttemptEnd): LedgerOutcome => {
  const { retryAfterSeconds: _, isPostponed = false, isLeft: __, ...kept } = end.outcome;
  return isPostponed ? decideRetry(end) : { ...kept, at: end.endedAt, next: 'none' };
};
