import type { LedgerOutcome } from '../../model/deliveries/outcome.ts';
import type { PauseReason, StoredSubscription } from '../../model/subscriptions/subscription.ts';
import { channelOf } from './channels.ts';
import { isGone } from './retry.ts';

/** What a subscription's row must learn from an outcome. */
export interface HealthChange {
  readonly isFailing?: boolean;
  /** Epoch milliseconds. */
  readonly lastDeliveredAt?: number;
  readonly pause?: PauseReason;
}

// Written at most twice a day, so that a busy subscription does not cost a write per delivery.
const deliveredEveryMs = 12 * 3600 * 1000;

/**
 * The change of a subscription's health after an outcome, or undefined when its row already says so. It is paused when
 * the receiver is gone, and when a message has used up its whole policy and nothing at all was delivered for `pauseAfterMs`.
 */
export function assessHealth(
  subscription: StoredSubscription,
  outcome: LedgerOutcome,
  pauseAfterMs: number,
): HealthChange | undefined {
  if (outcome.class === 'split') return undefined;
  const { isFailing = false, lastDeliveredAt } = subscription;
  const { patienceMs } = channelOf(subscription.protocol);
  // A service that takes the message does not hang: what failed need not be tried alone.
  if (patienceMs === undefined && outcome.next === 'retry') return undefined;
  const lastSignOfLife = Math.max(lastDeliveredAt ?? 0, subscription.activeSince ?? 0);
  // This outcome is older than what the row knows.
  if (outcome.at < lastSignOfLife) return undefined;
  if (outcome.next === 'none') {
    const isOld = lastDeliveredAt === undefined || outcome.at - lastDeliveredAt >= deliveredEveryMs;
    const isSlow = patienceMs !== undefined && (outcome.tookMs ?? 0) >= patienceMs;
    return isFailing !== isSlow || isOld ? { isFailing: isSlow, lastDeliveredAt: outcome.at } : undefined;
  }
  if (isGone(outcome)) return { isFailing: true, pause: 'gone' };
  const isDead = outcome.next === 'failed' && outcome.at - lastSignOfLife - deliveredEveryMs >= pauseAfterMs;
  if (isDead) return { isFailing: true, pause: 'undeliverable' };
  return isFailing ? undefined : { isFailing: true };
}
