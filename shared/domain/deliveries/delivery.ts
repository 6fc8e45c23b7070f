import type { Delivery, DeliveryState } from '../../model/deliveries/delivery.ts';
import type { LedgerOutcome, PastAttempt } from '../../model/deliveries/outcome.ts';
import { isoTime } from '../iso-time.ts';
import type { StoredSubscription } from '../subscriptions/subscription.ts';
import { attemptOf } from './past-attempts.ts';

/** A message of a topic, as far as a delivery is told of by it. */
export interface PublishedMessage {
  readonly messageId: string;
  readonly subject?: string | undefined;
  /** RFC 3339. */
  readonly timestamp: string;
}

/** What the ledger knows of a message for one subscription. */
export interface KnownDelivery {
  /** Its outcome in the task of its bucket. */
  readonly shared?: LedgerOutcome | undefined;
  /** How its own task stands. */
  readonly own?:
    | {
        readonly state: 'waiting' | 'claimed' | 'delivered' | 'failed' | 'dropped';
        readonly outcome?: LedgerOutcome | undefined;
        readonly past: readonly PastAttempt[];
        readonly notBefore?: number | undefined;
        readonly isStuck: boolean;
      }
    | undefined;
}

const endOf = ({ class: kind }: LedgerOutcome): DeliveryState => (kind === 'unknown' ? 'unknown' : 'delivered');

/** How a delivery stands; undefined where the ledger has nothing of it. */
export function stateOf({ shared, own }: KnownDelivery): DeliveryState | undefined {
  if (own !== undefined) {
    if (own.isStuck) return 'failed';
    if (own.state === 'delivered') return own.outcome === undefined ? 'delivered' : endOf(own.outcome);
    if (own.state === 'waiting' || own.state === 'claimed') return 'waiting';
    // Ended because the subscription wanted it no more.
    const wasTried = own.past.length > 0 || attemptOf(own.outcome) !== undefined;
    return own.state === 'failed' || wasTried ? 'failed' : undefined;
  }
  if (shared === undefined) return undefined;
  if (shared.next === 'none') return endOf(shared);
  return shared.next === 'retry' ? 'waiting' : 'failed';
}

const showAttempt = ([kind, status, endedAt, tookMs]: PastAttempt): Delivery['attempts'][number] => ({
  at: isoTime(endedAt - (tookMs ?? 0)),
  class: kind,
  ...(status !== null && { status }),
  ...(tookMs !== null && { durationMs: tookMs }),
});

/**
 * What a subscriber is told of a message: nothing (undefined) where it is none of theirs. One of which the ledger knows nothing is on
 * its way to who was active then, and was missed by who was paused, or had another filter; `isWanted`: it came after their consent, and by their filter.
 */
export function describeDelivery(
  { messageId, subject, timestamp }: PublishedMessage,
  known: KnownDelivery,
  {
    isActive,
    activeSince = 0,
    filteredSince = 0,
  }: Pick<StoredSubscription, 'isActive' | 'activeSince' | 'filteredSince'>,
  isWanted: boolean,
): Delivery | undefined {
  const unserved = isActive && Math.max(activeSince, filteredSince) <= Date.parse(timestamp) ? 'waiting' : 'missed';
  const state = stateOf(known) ?? (isWanted ? unserved : undefined);
  if (state === undefined) return undefined;
  const { own, shared } = known;
  const last = attemptOf(own === undefined ? shared : own.outcome);
  const attempts = [...(own?.past ?? []), ...(last === undefined ? [] : [last])].map(showAttempt);
  const isTimed = state === 'waiting' && own?.state === 'waiting' && own.notBefore !== undefined;
  return {
    messageId,
    ...(subject !== undefined && { subject }),
    publishedAt: timestamp,
    state,
    attempts,
    ...(isTimed && { nextAttemptAt: isoTime(own.notBefore ?? 0) }),
  };
}
