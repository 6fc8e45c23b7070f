import type { LedgerOutcome, Outcome } from '../model/delivery.ts';
import type { Policy } from '../model/policy.ts';

export interface AttemptEnd {
  readonly policy: Policy;
  /** 0 for the first attempt, then 1 to `maxRetries`. */
  readonly attempt: number;
  readonly outcome: Outcome;
  /** Epoch milliseconds at which the attempt ended. */
  readonly endedAt: number;
}

/**
 * What follows an attempt: nothing when it delivered; a retry no earlier than `countdownSeconds` after its end while the
 * policy has retries left (-1: always); else the message has failed for this subscription.
 */
export function decideRetry({ policy, attempt, outcome, endedAt }: AttemptEnd): LedgerOutcome {
  const { retryAfterSeconds = 0, isPostponed = false, ...kept } = outcome;
  const record = { ...kept, at: endedAt };
  if (outcome.class === 'delivered') return { ...record, next: 'none' };
  // What our own limit held up was not the receiver's last chance, and need not wait for its countdown.
  if (isPostponed) return { ...record, next: 'retry', notBefore: endedAt + retryAfterSeconds * 1000 };
  const hasRetryLeft = policy.maxRetries === -1 || attempt < policy.maxRetries;
  if (!hasRetryLeft) return { ...record, next: 'failed' };
  return { ...record, next: 'retry', notBefore: endedAt + policy.countdownSeconds * 1000 };
}
