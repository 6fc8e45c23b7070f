import type { LedgerOutcome } from '../../model/deliveries/outcome.ts';
import { type AttemptEnd, decideRetry } from '../deliveries/retry.ts';

/** Nobody has consented to a request to confirm: an address is sent it this often and no more. */
const mostConfirmationAttempts = 5;

interface ConfirmationAttemptEnd extends AttemptEnd {
  /** Epoch milliseconds at which the attempt began. */
  readonly startedAt: number;
  /** How the attempt before it ended; undefined of the first. */
  readonly previous: LedgerOutcome | undefined;
  readonly tokenExpiresAt: number;
}

// As the receiver saw it: from one request to the next.
const gapSeconds = ({ startedAt, previous }: ConfirmationAttemptEnd): number =>
  previous === undefined || previous.isPostponed ? 0 : (startedAt - (previous.at - (previous.tookMs ?? 0))) / 1000;

/**
 * What follows an attempt to ask an address to confirm. It begins with the policy's countdown, but each gap is at least
 * twice the one before, attempts are five in all (fewer where the policy says so), and none comes when the token has
 * expired. A 410 ends it, and so does a mailbox that never wants to be asked.
 */
export function decideConfirmationRetry(end: ConfirmationAttemptEnd): LedgerOutcome {
  const { countdownSeconds, maxRetries } = end.policy;
  const mostRetries = mostConfirmationAttempts - 1;
  const policy = {
    countdownSeconds: Math.max(countdownSeconds * 2 ** end.attempt, 2 * gapSeconds(end)),
    maxRetries:
      end.outcome.class === 'declined' ? 0 : maxRetries === -1 ? mostRetries : Math.min(maxRetries, mostRetries),
  };
  const { notBefore, ...decision } = decideRetry({ ...end, policy });
  if (notBefore === undefined) return decision;
  return notBefore < end.tokenExpiresAt ? { ...decision, notBefore } : { ...decision, next: 'failed' };
}
