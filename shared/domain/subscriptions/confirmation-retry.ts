import type { DeliveryOutcome } from '../deliveries/outcome.ts';
import { type AttemptEnd, decideRetry } from '../deliveries/retry.ts';

/** The number of attempts is limited, because recipients have not agreed to receive confirmation requests. */
const maxConfirmationAttempts = 5;

interface ConfirmationAttemptEnd extends AttemptEnd {
  readonly startedAt: number;
  readonly previous: DeliveryOutcome | undefined;
  readonly tokenExpiresAt: number;
}

// A gap is measured between the start times of two requests, because receivers see when a request starts.
const gapSeconds = ({ startedAt, previous }: ConfirmationAttemptEnd): number =>
  previous === undefined || previous.isPostponed ? 0 : (startedAt - (previous.at - (previous.tookMs ?? 0))) / 1000;

/**
 * Decides what happens after an attempt to send a confirmation request. The policy's countdown applies, but each gap
 * between attempts is at least twice as long as the previous gap. There are at most five attempts. Attempts stop when
 * the token expires, the receiver returns 410, or the mailbox declines requests.
 */
export function decideConfirmationRetry(end: ConfirmationAttemptEnd): DeliveryOutcome {
  const { countdownSeconds, maxRetries } = end.policy;
  const mostRetries = maxConfirmationAttempts - 1;
  const policy = {
    countdownSeconds: Math.max(countdownSeconds * 2 ** end.attempt, 2 * gapSeconds(end)),
    maxRetries:
      end.outcome.class === 'declined' ? 0 : maxRetries === -1 ? mostRetries : Math.min(maxRetries, mostRetries),
  };
  const { notBefore, ...decided } = decideRetry({ ...end, policy });
  // Hide the results of attempts to reach internal receivers, because subscribers could otherwise use these results to
  // scan the deployment's networks.
  const decision = end.outcome.isInternal ? { ...decided, status: undefined, code: undefined } : decided;
  if (notBefore === undefined) return decision;
  return notBefore < end.tokenExpiresAt ? { ...decision, notBefore } : { ...decision, next: 'failed' };
}
