import type { HealthChange } from '../deliveries/health.ts';
import { graceMs } from '../deliveries/times.ts';
import { nameUuid } from '../name-uuid.ts';
import { hourMs, isoTime } from '../time.ts';
import { type StoredTopic, statusTopicName, statusTopicUuid } from '../topics/topic.ts';
import type { StatusNotice, StoredSubscription } from './subscription.ts';
import { maskAddress } from './subscription-address.ts';

/**
 * The maximum number of subscriptions to the status topic per client. The limit ensures that one failure causes only a
 * few messages.
 */
export const maxStatusSubscriptions = 10;

/**
 * Returns the status topic as one client sees it, or as admins see it if `client` is undefined. The topic has a
 * separate generation for each client, so that a client receives only events about its own subscriptions.
 */
export const statusTopicOf = (client: string | undefined): StoredTopic => ({
  uuid: statusTopicUuid,
  name: statusTopicName,
  generation: client === undefined ? nameUuid('status of all') : nameUuid('status of', client),
});

/**
 * Returns the time (epoch milliseconds) at which to check whether a change in a subscription's health requires an
 * event. Returns undefined if no event is needed. Call the function before the change is stored. Storing the change
 * takes at most `recordMs`. No events are published about subscriptions to the status topic, because such events could
 * cause further events without end.
 */
export function statusCheckAt(
  { topicUuid, failingSince }: Pick<StoredSubscription, 'topicUuid' | 'failingSince'>,
  change: HealthChange,
  now: number,
  recordMs: number,
): number | undefined {
  if (topicUuid === statusTopicUuid) return undefined;
  if (change.pause !== undefined) return now + recordMs;
  if (change.failingSince !== undefined) return change.failingSince + hourMs;
  const mayBeTold = failingSince !== undefined && now - failingSince >= hourMs - graceMs;
  return change.lastDeliveredAt !== undefined && mayBeTold ? now + recordMs : undefined;
}

type Notice = Pick<StatusNotice, 'state' | 'since'>;

/**
 * Returns a notice about the current state, or the time at which the receiver will have been failing long enough for a
 * notice.
 */
function noticeOf(subscription: StoredSubscription, now: number): Notice | { readonly waitUntil: number } | undefined {
  const { isActive, pausedReason, failingSince, lastFailure, lastDeliveredAt, createdAt, notified } = subscription;
  if (!isActive) {
    const since = failingSince ?? lastFailure?.at ?? createdAt;
    return pausedReason === undefined ? undefined : { state: 'paused', since };
  }
  if (failingSince !== undefined) {
    const waitUntil = failingSince + hourMs;
    return now < waitUntil ? { waitUntil } : { state: 'failing', since: failingSince };
  }
  if (notified === undefined || lastDeliveredAt === undefined) return undefined;
  const isEnded = notified.state === 'failing' && notified.since <= lastDeliveredAt;
  const isRepeated = notified.state === 'recovered' && notified.since === lastDeliveredAt;
  return isEnded || isRepeated ? { state: 'recovered', since: lastDeliveredAt } : undefined;
}

/**
 * Decides whether to publish a notice about the state of a subscription, or to check the state again later. A recorded
 * notice is published again, because the run that recorded it may have stopped before publishing it. There is at most
 * one new notice per hour: if the state changes several times within the hour, only the last state is published.
 */
export function decideStatus(
  subscription: StoredSubscription,
  now: number,
): { readonly notice?: StatusNotice; readonly waitUntil?: number } {
  const notice = noticeOf(subscription, now);
  if (notice === undefined || 'waitUntil' in notice) return notice ?? {};
  const { notified } = subscription;
  if (notified?.state === notice.state && notified.since === notice.since) return { notice: notified };
  const waitUntil = (notified?.at ?? Number.NEGATIVE_INFINITY) + hourMs;
  return now < waitUntil ? { waitUntil } : { notice: { ...notice, at: now } };
}

/** Creates the event that publishes a notice. Masks the receiver's address, because the event may be sent by email. */
export function statusEvent(subscription: StoredSubscription, { state, since }: StatusNotice, topic: StoredTopic) {
  const { uuid, topicName, pausedReason, lastFailure } = subscription;
  const { class: kind, status, code } = (state === 'recovered' ? undefined : lastFailure) ?? {};
  const reason = state === 'paused' ? pausedReason : undefined;
  const receiver = maskAddress(subscription);
  const body = { uuid, topic: topicName, receiver, state, since: isoTime(since), reason, class: kind, status, code };
  return {
    subject: state,
    contentType: 'application/json',
    body: JSON.stringify(body),
    messageId: nameUuid('status event', topic.generation, uuid, state, String(since)),
  };
}
