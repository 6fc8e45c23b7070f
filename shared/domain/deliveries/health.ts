import type { LedgerOutcome } from '../../model/deliveries/outcome.ts';
import type { Failure, PauseReason, StoredSubscription } from '../subscriptions/subscription.ts';
import { channelOf } from './channels.ts';
import { isGone } from './retry.ts';

/** What a subscription's row must learn from an outcome. Times are epoch milliseconds. */
export interface HealthChange {
  readonly isFailing?: boolean;
  /** With its first failure: it is failing from now on. With a pause: since when, as far as is known here. */
  readonly failingSince?: number;
  /** With a delivery: its failing is over. */
  readonly lastDeliveredAt?: number;
  readonly pause?: PauseReason;
  /** With a first failure, and with a pause. */
  readonly lastFailure?: Failure;
  /** With an attempt at a test event, which says nothing of its health. */
  readonly lastTest?: NonNullable<StoredSubscription['lastTest']>;
}

const failureOf = ({ class: kind, status, at }: LedgerOutcome): Failure => ({
  class: kind,
  ...(status !== undefined && { status }),
  at,
});

/**
 * The change of a subscription's health after an outcome, or undefined when its row already says so: a healthy one costs no
 * write. It is paused when the receiver is gone, and when a message has used up its whole policy and nothing was delivered
 * since the first failure after the last success, `pauseAfterMs` ago or more. Silence is no failure.
 */
export function assessHealth(
  subscription: StoredSubscription,
  outcome: LedgerOutcome,
  pauseAfterMs: number,
): HealthChange | undefined {
  // Not tried, taken by we do not know whom, or held up by a limit of ours: the receiver had no part in it.
  if (outcome.class === 'split' || outcome.class === 'unknown' || outcome.isPostponed) return undefined;
  const { isFailing = false, failingSince, lastDeliveredAt = 0, activeSince = 0, protocol } = subscription;
  // This outcome is older than what the row knows.
  if (outcome.at < Math.max(lastDeliveredAt, activeSince)) return undefined;
  if (outcome.next === 'none') {
    const { patienceMs } = channelOf(protocol);
    const isSlow = patienceMs !== undefined && (outcome.tookMs ?? 0) >= patienceMs;
    const isKnown = isFailing === isSlow && failingSince === undefined;
    return isKnown ? undefined : { isFailing: isSlow, lastDeliveredAt: outcome.at };
  }
  const lastFailure = failureOf(outcome);
  if (isGone(outcome)) return { isFailing: true, pause: 'gone', lastFailure };
  if (failingSince === undefined) return { isFailing: true, failingSince: outcome.at, lastFailure };
  const isDead = outcome.next === 'failed' && outcome.at - failingSince >= pauseAfterMs;
  return isDead ? { failingSince, pause: 'undeliverable', lastFailure } : undefined;
}
