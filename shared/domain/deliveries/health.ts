import type { Failure, PauseReason, StoredSubscription } from '../subscriptions/subscription.ts';
import { channelOf } from './channels.ts';
import type { DeliveryOutcome } from './outcome.ts';
import { isGone } from './retry.ts';

/** A change in the health of a subscription. Times are epoch milliseconds. */
export interface HealthChange {
  readonly isFailing?: boolean;
  readonly failingSince?: number;
  readonly lastDeliveredAt?: number;
  readonly pause?: PauseReason;
  readonly lastFailure?: Failure;
  /** The result of a test event, which does not affect the health. */
  readonly lastTest?: NonNullable<StoredSubscription['lastTest']>;
}

export const failureOf = ({ class: kind, status, code, at }: DeliveryOutcome): Failure => ({
  class: kind,
  ...(status !== undefined && { status }),
  ...(code !== undefined && { code }),
  at,
});

/**
 * Returns how an outcome changes a subscription's health, or undefined if nothing changes: deliveries to a healthy
 * receiver need no write. Pauses the subscription if the receiver responds with 410. Also pauses it if a message fails
 * permanently at least `pauseAfterMs` after the first failure since the last delivery.
 */
export function assessHealth(
  subscription: StoredSubscription,
  outcome: DeliveryOutcome,
  pauseAfterMs: number,
): HealthChange | undefined {
  // These outcomes do not depend on the receiver.
  if (outcome.class === 'split' || outcome.class === 'unknown' || outcome.isPostponed) return undefined;
  const { isFailing = false, failingSince, lastDeliveredAt = 0, activeSince = 0, protocol } = subscription;
  // The outcome is older than the recorded health.
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
  // The rows of parked messages are not in the index that shows the latest failure.
  if (outcome.next === 'parked') return { lastFailure };
  const isDead = outcome.next === 'failed' && outcome.at - failingSince >= pauseAfterMs;
  return isDead ? { failingSince, pause: 'undeliverable', lastFailure } : undefined;
}
