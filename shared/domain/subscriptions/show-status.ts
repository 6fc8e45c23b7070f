import type { SubscriptionStatus } from '../../model/subscriptions/status.ts';
import { isoTime } from '../iso-time.ts';
import { showSubscription } from './show-subscription.ts';
import type { Failure, StoredSubscription } from './subscription.ts';

/** What the ledger knows of a subscription's deliveries. */
export interface Deliveries {
  /** How many wait for another attempt. */
  readonly waiting: number;
  /** The latest attempt that failed of those that wait, or have failed for good. */
  readonly lastFailure: Failure | undefined;
  /** The attempt that delivered, of the newest message that was. RFC 3339. */
  readonly lastDelivered?: { readonly at: string } | undefined;
}

/** Of one to which nothing was delivered. */
export const nothingSent: Deliveries = { waiting: 0, lastFailure: undefined };

/** What became of asking the address of one that is not confirmed: it was asked, in vain, or too long ago to confirm. */
function askingOf({ requests }: StoredSubscription, now: number): 'asked' | 'unreachable' | 'expired' {
  const open = Object.values(requests).filter(({ expiresAt }) => expiresAt > now);
  if (open.length === 0) return 'expired';
  return open.every(({ hasFailed }) => hasFailed) ? 'unreachable' : 'asked';
}

/** How a subscription stands at `now` (epoch milliseconds), and why. */
export function stateOf(stored: StoredSubscription, now: number): Pick<SubscriptionStatus, 'state' | 'stateReason'> {
  const { isActive, isFailing, failingSince, pausedReason } = stored;
  if (isActive)
    return { state: 'active', ...((isFailing || failingSince !== undefined) && { stateReason: 'failing' }) };
  if (pausedReason !== undefined) return { state: 'paused', stateReason: pausedReason };
  return { state: 'pending', stateReason: askingOf(stored, now) };
}

const latest = (...failures: (Failure | undefined)[]): Failure | undefined =>
  failures.filter((one) => one !== undefined).toSorted((a, b) => b.at - a.at)[0];

const showEnding = ({ class: kind, status, at }: Failure) => ({
  class: kind,
  ...(status !== undefined && { status }),
  at: isoTime(at),
});

/** A subscription as its subscriber sees it, with how it stands. */
export function showStatus(stored: StoredSubscription, deliveries: Deliveries, now: number): SubscriptionStatus {
  const { createdAt, confirmedAt, lastTest } = stored;
  const { lastDelivered } = deliveries;
  const lastDeliveredAt = Math.max(stored.lastDeliveredAt ?? 0, lastDelivered ? Date.parse(lastDelivered.at) : 0);
  const failure = latest(stored.lastFailure, deliveries.lastFailure);
  return {
    ...showSubscription(stored),
    ...stateOf(stored, now),
    createdAt: isoTime(createdAt),
    ...(confirmedAt !== undefined && { confirmedAt: isoTime(confirmedAt) }),
    ...(lastDeliveredAt > 0 && { lastDeliveredAt: isoTime(lastDeliveredAt) }),
    ...(failure && { lastFailure: showEnding(failure) }),
    ...(lastTest && { lastTest: { messageId: lastTest.messageId, ...showEnding(lastTest) } }),
    waiting: deliveries.waiting,
  };
}
