import type { PauseReason, StoredSubscription } from '../subscriptions/subscription.ts';
import { channelOf } from './channels.ts';
import { type DeliveryOutcome, failureOf } from './outcome.ts';
import { isGone } from './retry.ts';

/** A change in the health of a subscription. `lastTest` does not affect the health. Times are epoch milliseconds. */
export type HealthChange = Partial<
  Pick<StoredSubscription, 'isFailing' | 'failingSince' | 'lastDeliveredAt' | 'lastFailure' | 'lastTest'>
> & { readonly pause?: PauseReason };

/**
 * Returns how an outcome changes a subscription's health. Returns undefined if nothing changes, so that deliveries to a
 * healthy receiver cause no write. The subscription is paused if the receiver responds with status 410. The
 * subscription is also paused if a message fails permanently after the receiver has been failing for at least
 * `pauseAfterMs`.
 */
export function assessHealth(
  subscription: StoredSubscription,
  outcome: DeliveryOutcome,
  pauseAfterMs: number,
): HealthChange | undefined {
  // Ignore outcomes that do not depend on the receiver.
  if (outcome.class === 'split' || outcome.class === 'unknown' || outcome.isPostponed) return undefined;
  const { isFailing = false, failingSince, lastDeliveredAt = 0, activeSince = 0, protocol } = subscription;
  // Ignore outcomes that are older than the recorded health.
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
  // The index that shows the latest failure does not contain parked messages, so the failure is recorded in the
  // subscription.
  if (outcome.next === 'parked') return { lastFailure };
  const isDead = outcome.next === 'failed' && outcome.at - failingSince >= pauseAfterMs;
  return isDead ? { failingSince, pause: 'undeliverable', lastFailure } : undefined;
}
