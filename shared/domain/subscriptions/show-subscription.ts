import * as z from 'zod/mini';
import { attempt, type Delivery } from '../deliveries/delivery.ts';
import { failureOf } from '../deliveries/outcome.ts';
import { isoTime } from '../time.ts';
import { formatPolicy } from './policy.ts';
import {
  type ConfirmationRequest,
  type DeliveryFormat,
  deliveryFormats,
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
  /** The deliveries of the open confirmation requests, newest first. */
  readonly confirmations: readonly Delivery[];
}

/** Returns the requests that may still be confirmed, newest first. An active subscription has no open requests. */
export const openRequestsOf = (
  { isActive, requests }: Pick<StoredSubscription, 'isActive' | 'requests'>,
  now: number,
): ConfirmationRequest[] =>
  Object.values(isActive ? {} : requests)
    .filter(({ expiresAt }) => expiresAt > now)
    .toSorted((a, b) => b.requestedAt - a.requestedAt);

function pendingReason(stored: StoredSubscription, now: number): 'asked' | 'unreachable' | 'expired' {
  const open = openRequestsOf(stored, now);
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

const failuresOf = ({ attempts }: Delivery): Failure[] =>
  attempts
    .filter(({ class: kind }) => kind !== 'delivered')
    .map(({ at, durationMs = 0, ...failure }) => ({ ...failure, at: Date.parse(at) + durationMs }));

const showAttemptEnd = (end: Failure) => ({ ...failureOf(end), at: isoTime(end.at) });

/** @param defaultFormat the format of subscriptions whose subscribers have not chosen a format */
export function showStatus(
  stored: StoredSubscription,
  deliveries: DeliverySummary,
  now: number,
  defaultFormat: DeliveryFormat,
): SubscriptionStatus {
  const { createdAt, confirmedAt, lastTest } = stored;
  const { lastDelivered, confirmations } = deliveries;
  const [newest] = confirmations;
  const lastDeliveredAt = Math.max(stored.lastDeliveredAt ?? 0, lastDelivered ? Date.parse(lastDelivered.at) : 0);
  const failure = latest(stored.lastFailure, deliveries.lastFailure, ...confirmations.flatMap(failuresOf));
  return {
    ...showSubscription(stored),
    deliveryFormat: stored.deliveryFormat ?? defaultFormat,
    ...stateOf(stored, now),
    createdAt: isoTime(createdAt),
    ...(confirmedAt !== undefined && { confirmedAt: isoTime(confirmedAt) }),
    ...(lastDeliveredAt > 0 && { lastDeliveredAt: isoTime(lastDeliveredAt) }),
    ...(failure && { lastFailure: showAttemptEnd(failure) }),
    ...(lastTest && { lastTest: { messageId: lastTest.messageId, ...showAttemptEnd(lastTest) } }),
    ...(newest && { attempts: newest.attempts }),
    ...(newest?.nextAttemptAt !== undefined && { nextAttemptAt: newest.nextAttemptAt }),
    waiting: deliveries.waiting,
  };
}

const subscriptionStates = ['pending', 'active', 'paused'] as const;

/**
 * The reasons for a subscription's state: causes of a pause, results of confirmation requests, and failing deliveries.
 */
const stateReasons = [...pauseReasons, 'asked', 'unreachable', 'expired', 'failing'] as const;

export const maxWaitingShown = 1000;

/** The result of a delivery attempt: its class, the receiver's status, a system error code and the time (RFC 3339). */
export const attemptEnd = z.object({
  class: z.string(),
  status: z.exactOptional(z.int()),
  code: z.exactOptional(z.string()),
  at: z.string(),
});

export const testAttemptEnd = z.object({ messageId: z.string(), ...attemptEnd.shape });

/** A subscription and its state. Times are in RFC 3339 format. */
export const subscriptionStatus = z.object({
  ...subscription.shape,
  deliveryFormat: z.enum(deliveryFormats),
  state: z.enum(subscriptionStates),
  stateReason: z.exactOptional(z.enum(stateReasons)),
  createdAt: z.string(),
  confirmedAt: z.exactOptional(z.string()),
  lastDeliveredAt: z.exactOptional(z.string()),
  lastFailure: z.exactOptional(attemptEnd),
  lastTest: z.exactOptional(testAttemptEnd),
  /** The attempts to deliver the newest open confirmation request, and the time of the next attempt. */
  attempts: z.exactOptional(z.array(attempt)),
  nextAttemptAt: z.exactOptional(z.string()),
  /** The number of deliveries that are waiting for an attempt, at most `maxWaitingShown`. */
  waiting: z.int(),
});
export type SubscriptionStatus = z.infer<typeof subscriptionStatus>;
