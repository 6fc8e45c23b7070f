import * as z from 'zod/mini';
import { isoTime } from '../time.ts';
import { formatPolicy } from './policy.ts';
import {
  type Failure,
  pauseReasons,
  type StoredSubscription,
  type Subscription,
  subscription,
} from './subscription.ts';

/** Returns a subscription as clients see it (OSIA notification 1.2.0). */
export const showSubscription = (stored: StoredSubscription): Subscription => ({
  uuid: stored.uuid,
  topic: stored.topicName,
  protocol: stored.protocol,
  address: stored.address,
  policy: formatPolicy(stored),
  active: stored.isActive,
  ...(stored.subjects.length > 0 && { subjects: stored.subjects }),
});

export interface DeliverySummary {
  readonly waiting: number;
  readonly lastFailure: Failure | undefined;
  /** The delivery time (RFC 3339) of the newest delivered message. */
  readonly lastDelivered?: { readonly at: string } | undefined;
}

export const noDeliveries: DeliverySummary = { waiting: 0, lastFailure: undefined };

function pendingReason({ requests }: StoredSubscription, now: number): 'asked' | 'unreachable' | 'expired' {
  const open = Object.values(requests).filter(({ expiresAt }) => expiresAt > now);
  if (open.length === 0) return 'expired';
  return open.every(({ hasFailed }) => hasFailed) ? 'unreachable' : 'asked';
}

/** Returns the state of a subscription at `now` (epoch milliseconds), and the reason for the state. */
export function stateOf(stored: StoredSubscription, now: number): Pick<SubscriptionStatus, 'state' | 'stateReason'> {
  const { isActive, isFailing, failingSince, pausedReason } = stored;
  if (isActive)
    return { state: 'active', ...((isFailing || failingSince !== undefined) && { stateReason: 'failing' }) };
  if (pausedReason !== undefined) return { state: 'paused', stateReason: pausedReason };
  return { state: 'pending', stateReason: pendingReason(stored, now) };
}

const latest = (...failures: (Failure | undefined)[]): Failure | undefined =>
  failures.filter((one) => one !== undefined).toSorted((a, b) => b.at - a.at)[0];

const showAttemptEnd = ({ class: kind, status, at }: Failure) => ({
  class: kind,
  ...(status !== undefined && { status }),
  at: isoTime(at),
});

export function showStatus(stored: StoredSubscription, deliveries: DeliverySummary, now: number): SubscriptionStatus {
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
    ...(failure && { lastFailure: showAttemptEnd(failure) }),
    ...(lastTest && { lastTest: { messageId: lastTest.messageId, ...showAttemptEnd(lastTest) } }),
    waiting: deliveries.waiting,
  };
}

const subscriptionStates = ['pending', 'active', 'paused'] as const;

/** The reasons for a subscription's state: causes of a pause, results of confirmation requests, and failing deliveries. */
const stateReasons = [...pauseReasons, 'asked', 'unreachable', 'expired', 'failing'] as const;

export const maxWaitingShown = 1000;

/** The result of a delivery attempt: its class, the receiver's status and the time (RFC 3339). */
export const attemptEnd = z.object({ class: z.string(), status: z.exactOptional(z.int()), at: z.string() });

export const testAttemptEnd = z.object({ messageId: z.string(), ...attemptEnd.shape });

/** A subscription and its state. Times are RFC 3339. */
export const subscriptionStatus = z.object({
  ...subscription.shape,
  state: z.enum(subscriptionStates),
  stateReason: z.exactOptional(z.enum(stateReasons)),
  createdAt: z.string(),
  confirmedAt: z.exactOptional(z.string()),
  lastDeliveredAt: z.exactOptional(z.string()),
  lastFailure: z.exactOptional(attemptEnd),
  lastTest: z.exactOptional(testAttemptEnd),
  /** The number of deliveries that are waiting for an attempt, at most `maxWaitingShown`. */
  waiting: z.int(),
});
export type SubscriptionStatus = z.infer<typeof subscriptionStatus>;
