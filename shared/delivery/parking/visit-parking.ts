import {
  isDead,
  isOverdue,
  maxActiveMessages,
  mostActive,
  type ParkingPayload,
  parkedExpiry,
  releaseWaitMs,
} from '../../domain/deliveries/parking.ts';
import { singleTaskKey } from '../../domain/deliveries/task.ts';
import { deliveryExpiry } from '../../domain/deliveries/times.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { dayMs } from '../../domain/time.ts';
import type { ParkedPlace } from '../../storage/deliveries/parking.ts';
import type { WaitingDelivery } from '../../storage/deliveries/waiting-deliveries.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import { sendSingle } from '../recovery/redeliver-one.ts';
import type { SendsTo, Tools } from '../tools.ts';

type VisitUses = 'deliveries:visitParking' | 'subscriptions:read' | 'queues:fanOut' | SendsTo<'later'>;

type ParkingTools = Tools<VisitUses, 'deliveryDays'> & Pick<DeliveryContext, 'onFailed'>;

/**
 * The maximum number of parked messages that one visit releases, and the maximum number of released messages that may
 * be pending.
 */
const maxReleased = 20;

interface Visit {
  readonly uuid: string;
  readonly subscription: StoredSubscription | undefined;
  readonly tools: ParkingTools;
  readonly now: number;
}

/**
 * Visits the parked messages of a subscription. While the receiver is failing, a visit sends the oldest parked message
 * as a probe. Otherwise, a visit releases messages in batches, oldest first. If the subscription is paused or deleted,
 * the release ends the deliveries of these messages. Safe to repeat.
 */
export async function visitParking(
  { parkingOf: uuid, stepId, idle = 0 }: ParkingPayload,
  tools: ParkingTools,
): Promise<void> {
  const parking = await tools.deliveries.getParking(uuid);
  if (parking === undefined || (stepId ?? parking.stepId) !== parking.stepId) return;
  const now = tools.now();
  const subscription = await tools.subscriptions.get(uuid, now);
  const visit = { uuid, subscription, tools, now };
  const failingSince = subscription?.isActive ? subscription.failingSince : undefined;
  const waiting = subscription?.isActive
    ? await tools.deliveries.listWaiting(uuid, maxActiveMessages + maxReleased)
    : [];
  const newlyParked = await parkNewest(waiting, visit);
  const places = await tools.deliveries.listParked(uuid, maxReleased);
  if (places.length === 0) return tools.deliveries.closeParking(uuid, parking, now);
  if (failingSince !== undefined && failingSince !== parking.failingSince) {
    await tools.deliveries.recordParking(uuid, { failingSince });
  }
  const overdue = places.filter(({ publishedAt }) => isOverdue(publishedAt, now, tools.settings.deliveryDays));
  for (const place of overdue) await expire(place, visit);
  const parked = places.filter((place) => !overdue.includes(place));
  if (failingSince !== undefined) {
    const isReceiverDead = isDead(failingSince, now, tools.settings.deliveryDays);
    // If too few messages are active, the oldest parked message is released instead of being sent as a probe.
    const promoted = waiting.length < mostActive(isReceiverDead) ? await release(parked.slice(0, 1), visit) : 0;
    // A dead receiver gets at most one attempt per day: either its active message or a probe.
    const isTriedToday = isReceiverDead && waiting.some((one) => isPending(one, now + dayMs));
    if (promoted === 0 && !isTriedToday) await probe(parked, visit);
    if (newlyParked + overdue.length > 0) await sendNextStep(visit, 0);
    return;
  }
  const pending = waiting.filter((one) => isPending(one, now)).length;
  const released = await release(parked.slice(0, Math.max(0, maxReleased - pending)), visit);
  await sendNextStep(visit, released + overdue.length > 0 ? 0 : idle + 1);
}

/**
 * Sends the payload of the next step. The id of this step invalidates all other payloads. If the queue loses the
 * payload, the sweeper's next visit continues the release.
 */
async function sendNextStep({ uuid, tools }: Visit, idle: number): Promise<void> {
  const stepId = tools.newId();
  await tools.deliveries.recordParking(uuid, { stepId });
  const payload = { parkingOf: uuid, stepId, idle };
  await tools.queues.fanOut.send({ payload, group: uuid, delaySeconds: releaseWaitMs(idle) / 1000 });
}

const isPending = ({ state, notBefore = 0 }: WaitingDelivery, now: number): boolean =>
  state === 'leased' || notBefore <= now;

/**
 * Parks all waiting messages that have failed, except the five oldest, because many messages can fail before the index
 * shows the first failure. If the receiver has recovered, parks only messages that failed before it recovered. The
 * visit then releases these messages.
 */
async function parkNewest(
  waiting: readonly WaitingDelivery[],
  { uuid, subscription, tools, now }: Visit,
): Promise<number> {
  const { failingSince, lastDeliveredAt = 0 } = subscription ?? {};
  const { deliveryDays } = tools.settings;
  const hasFailed = ({ outcome }: WaitingDelivery): boolean =>
    outcome !== undefined && !outcome.isPostponed && (failingSince !== undefined || outcome.at <= lastDeliveredAt);
  const newest = waiting.slice(maxActiveMessages).filter((one) => hasFailed(one) && !isPending(one, now));
  if (newest.length === 0) return 0;
  await tools.deliveries.openParking(uuid, failingSince ?? now, now, deliveryDays);
  const expiresAt = parkedExpiry(now, deliveryDays);
  for (const one of newest) {
    await tools.deliveries.park({ ...one, attempt: one.attempt + 1 }, tools.newId(), expiresAt);
  }
  return newest.length;
}

/** Records an overdue message as failed, and reports the failure unless the subscription was deleted. */
async function expire(place: ParkedPlace, { uuid, subscription, tools, now }: Visit): Promise<void> {
  const end = await tools.deliveries.expireParked(place, now, deliveryExpiry(now, tools.settings.deliveryDays));
  if (end === 'probing') return;
  if (end === 'failed' && subscription !== undefined) tools.onFailed(place.messageId, uuid, { class: 'expired' });
  await tools.deliveries.deletePlace(place);
}

async function sendAttempt(
  { messageId, protocol }: ParkedPlace,
  attempt: number,
  { uuid, tools }: Visit,
  isProbe?: true,
): Promise<void> {
  const message = await tools.deliveries.getMessage(messageId);
  // If the message has expired, the sweeper or a later visit ends the delivery.
  if (message) await sendSingle(message, { taskKey: singleTaskKey(uuid), protocol }, attempt, tools, isProbe);
}

/** Sends the oldest parked message, which stays parked if the attempt fails. */
async function probe(parked: readonly ParkedPlace[], visit: Visit): Promise<void> {
  const { tools, now } = visit;
  for (const place of parked) {
    const { state, attempt } = await tools.deliveries.readParked(place, now);
    if (state === 'parked') return sendAttempt(place, attempt, visit, true);
    if (state === 'probing') return;
    await tools.deliveries.deletePlace(place);
  }
}

/** Releases parked messages and sends them. Returns how many were sent. */
async function release(parked: readonly ParkedPlace[], visit: Visit): Promise<number> {
  const { tools, now } = visit;
  const expiresAt = deliveryExpiry(now, tools.settings.deliveryDays);
  const releasing = parked.map(async (place): Promise<number> => {
    const attempt = await tools.deliveries.releaseParked(place, now, expiresAt);
    if (attempt === 'probing') return 0;
    if (attempt !== 'gone') await sendAttempt(place, attempt, visit);
    await tools.deliveries.deletePlace(place);
    return attempt === 'gone' ? 0 : 1;
  });
  return (await Promise.all(releasing)).reduce((sum, one) => sum + one, 0);
}
