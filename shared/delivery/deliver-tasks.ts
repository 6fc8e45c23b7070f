import type { KeptResponse } from '../domain/deliveries/kept-response.ts';
import type { Content } from '../domain/deliveries/message.ts';
import type { DeliveryOutcome } from '../domain/deliveries/outcome.ts';
import { isActiveMessage, isDead, maxActiveMessages, orderOf, parkedExpiry } from '../domain/deliveries/parking.ts';
import { maxBatchAttempts } from '../domain/deliveries/shards.ts';
import type { DeliveryTask } from '../domain/deliveries/task.ts';
import { clockMs, deliveryExpiry } from '../domain/deliveries/times.ts';
import { inParts } from '../domain/in-parts.ts';
import { InternalError } from '../domain/internal-errors.ts';
import { awaitsConfirmation, requestOfToken } from '../domain/subscriptions/confirmation-requests.ts';
import type { StoredSubscription } from '../domain/subscriptions/subscription.ts';
import { wantsEvent } from '../domain/subscriptions/wants-event.ts';
import type { Outcomes } from '../storage/deliveries/single-deliveries.ts';
import { runAfterEffects, runOnce, sendSingles } from './after-effects.ts';
import { attempt, hasTimeToAttempt, messageComposer, prepare, releaseTask, reportAttempts } from './attempt.ts';
import { busyError, type DeliveryContext, leaseFrom, taskIdOf } from './delivery-context.ts';

/**
 * Delivers a task: reads the subscriptions, acquires the lease, sends the messages, records the outcomes, and schedules
 * retries. The lease prevents duplicate deliveries if the queue repeats the task. If the process stops between sending
 * and recording, the receiver gets the message again with the same message-id. If the process stops after recording,
 * the repeated task or the sweeper runs the after-effects.
 * @throws Busy while another run holds the lease
 */
export const deliverTask = (task: DeliveryTask, context: DeliveryContext): Promise<void> =>
  task.isSingle ? deliverSingle(task, context) : deliverBatch(task, context);

/** Delivers tasks in parallel. Returns one result for each task, in order. */
export const deliverAll = (
  tasks: readonly DeliveryTask[],
  context: DeliveryContext,
): Promise<PromiseSettledResult<void>[]> => Promise.allSettled(tasks.map((task) => deliverTask(task, context)));

const deferred = (at: number): DeliveryOutcome => ({ class: 'split', at, next: 'retry', notBefore: at });

/**
 * Delivers a batch: sends the message to at most `maxBatchAttempts` subscriptions at once and records all outcomes
 * together. Subscriptions beyond `maxBatchAttempts` become single deliveries.
 * @throws the first internal error, if internal errors prevented every attempt
 */
async function deliverBatch(task: DeliveryTask, context: DeliveryContext): Promise<void> {
  const prepared = await prepare(task, context, async () => {
    const { due, paused, body } = await readTask(task, context);
    const lease = leaseFrom(context);
    const wanting = [...due, ...paused];
    const claim = wanting.length === 0 ? undefined : await context.deliveries.acquire(taskIdOf(task), lease);
    return { due, wanting, body, lease, claim };
  });
  if (prepared === undefined) return;
  const { due, wanting, body, lease, claim } = prepared;
  if (claim === undefined) return;
  if (claim.is === 'busy') throw busyError(task);
  if (claim.is === 'done') {
    if (!claim.hasRunAfterEffects) await runAfterEffects(task, due, claim.outcomes, context);
    return deliverLate(task, wanting, claim.outcomes, context);
  }

  if (!hasTimeToAttempt(context)) return releaseTask(task, lease, context);

  const messageTo = messageComposer(task, body, context);
  const together = wanting.slice(0, maxBatchAttempts);
  const thrown: unknown[] = [];
  const responses: Record<string, KeptResponse> = {};
  let made = 0;
  const attempts = together.map(async (subscription): Promise<readonly [string, DeliveryOutcome]> => {
    // A failing receiver must not delay other receivers. For a paused subscription, a single delivery records the
    // failure, so that an operator can redeliver the message.
    if (subscription.isFailing || !subscription.isActive) return [subscription.uuid, deferred(context.now())];
    try {
      const { outcome, response } = await attempt(task, messageTo(subscription), { base: 0 }, subscription, context);
      made += 1;
      if (response !== undefined) responses[subscription.uuid] = response;
      return [subscription.uuid, outcome];
    } catch (error) {
      thrown.push(error);
      // An internal error with one subscription must not affect the rest of the batch. If this subscription gets a
      // single delivery, the batch does not go to the dead-letter queue.
      return [subscription.uuid, deferred(context.now())];
    }
  });
  const outcomes = Object.fromEntries(await Promise.all(attempts));
  if (made === 0 && thrown.length > 0) {
    // No attempt was made, so the error probably affects all subscriptions (for example, if the signing keys are
    // unreadable). The whole task returns to the queue unchanged.
    await context.deliveries.release(taskIdOf(task), lease).catch(() => {});
    throw thrown[0];
  }
  const recording = context.deliveries.record(taskIdOf(task), lease, outcomes, responses);
  const isRecorded = await recording.finally(() => reportAttempts(task, outcomes, context));
  if (!isRecorded) return;
  await runAfterEffects(task, due, outcomes, context, lease);
  await deliverLate(task, wanting, outcomes, context);
}

/**
 * Creates single deliveries for subscriptions that have no outcome in the recorded batch: subscriptions beyond
 * `maxBatchAttempts`, and subscriptions that a later fan-out found.
 */
async function deliverLate(
  task: DeliveryTask,
  wanting: readonly StoredSubscription[],
  recorded: Outcomes,
  context: DeliveryContext,
): Promise<void> {
  const missing = wanting.filter(({ uuid }) => !Object.hasOwn(recorded, uuid));
  let known = Object.keys(recorded).length;
  for (const some of inParts(missing, maxBatchAttempts)) {
    const lease = leaseFrom(context);
    const late = Object.fromEntries(some.map(({ uuid }) => [uuid, deferred(lease.now)]));
    await context.deliveries.openLateSingles(taskIdOf(task), lease, late);
    await sendSingles(task, Object.keys(late), context);
    // If sending to the queue fails, no outcome is recorded, so the repeated task sends these deliveries again.
    await context.deliveries.addOutcomes(taskIdOf(task), late, known);
    known += some.length;
  }
}

/**
 * Parks a task of a failing subscription, unless the task's message is one of the five oldest. Returns false if the
 * caller must attempt the task.
 */
async function isParked(
  task: DeliveryTask,
  { uuid, failingSince }: StoredSubscription,
  context: DeliveryContext,
): Promise<boolean> {
  const { content } = task;
  if (failingSince === undefined || task.isProbe) return false;
  if (content.type === 'SubscriptionConfirmation' || content.isTest) return false;
  const { deliveryDays } = context.settings;
  const now = context.now();
  const oldest = await context.deliveries.listWaiting(uuid, maxActiveMessages + 1);
  const orders = oldest.map(({ publishedAt, messageId }) => orderOf(publishedAt, messageId));
  const own = orderOf(content.timestamp, content.messageId);
  if (isActiveMessage(own, orders, isDead(failingSince, now, deliveryDays))) return false;
  await context.deliveries.openParking(uuid, failingSince, now, deliveryDays);
  return context.deliveries.park(taskIdOf(task), context.newId(), parkedExpiry(now, deliveryDays));
}

/**
 * Makes one attempt at a single delivery.
 * @throws Busy while another run holds the lease
 */
async function deliverSingle(task: DeliveryTask, context: DeliveryContext): Promise<void> {
  const prepared = await prepare(task, context, async () => {
    const read = await readTask(task, context);
    const [subscription] = read.due;
    const isOver = subscription !== undefined && (await isParked(task, subscription, context));
    // The message of a failed probe stays parked, so its row is kept for as long as the rows of other parked messages.
    const lease = leaseFrom(context, task.isProbe ? parkedExpiry : deliveryExpiry);
    const claim =
      subscription === undefined || isOver
        ? undefined
        : await context.deliveries.acquireSingle(taskIdOf(task), subscription.uuid, lease);
    return { ...read, subscription, isOver, lease, claim };
  });
  if (prepared === undefined) return;
  const { due, paused, body, subscription, isOver, lease, claim } = prepared;
  if (isOver) return;
  if (subscription === undefined || claim === undefined) return drop(task, paused.length > 0, context);
  const { uuid } = subscription;
  if (claim.is === 'busy') throw busyError(task);
  if (claim.is === 'done') {
    // An earlier run recorded this attempt, but may have stopped before running the after-effects.
    if (claim.hasRunAfterEffects || claim.attempt !== task.attempt || claim.outcome === undefined) return;
    return runAfterEffects(task, due, { [uuid]: claim.outcome }, context);
  }
  if (!hasTimeToAttempt(context)) return releaseTask(task, lease, context);
  const message = messageComposer(task, body, context)(subscription);
  const { outcome, response } = await attempt(task, message, claim, subscription, context);
  const recording = context.deliveries.recordSingle(taskIdOf(task), uuid, lease, outcome, claim, response);
  const isRecorded = await recording.finally(() => reportAttempts(task, { [uuid]: outcome }, context));
  if (!isRecorded) return;
  await runAfterEffects(task, due, { [uuid]: outcome }, context, lease);
}

/** Ends the task of a deleted or paused subscription. If the subscription is paused, reports a failure. */
async function drop(task: DeliveryTask, isPaused: boolean, context: DeliveryContext): Promise<void> {
  const lease = leaseFrom(context);
  const end = await context.deliveries.dropSingle(taskIdOf(task), isPaused, lease);
  const report = async () => {
    for (const uuid of task.subscriptionUuids) {
      context.onFailed(task.content.messageId, uuid, { class: 'paused' });
    }
  };
  if (end === 'failed') await runOnce(task, context, report, lease);
  // An earlier run may have stopped before reporting the failure.
  if (end === 'alreadyFailed' && isPaused) await runOnce(task, context, report);
}

/** Reads the body of a task's message, the subscriptions that still want the message, and the paused subscriptions. */
async function readTask(task: DeliveryTask, context: DeliveryContext) {
  const present = await context.subscriptions.getMany(task.subscriptionUuids);
  const now = context.now();
  const due = present.filter((subscription) => isDue(task.content, subscription, now));
  const paused = present.filter((subscription) => isPaused(task.content, subscription));
  // Do not read the body if no subscription still wants the message, because the body may have expired.
  const body = due.length === 0 ? '' : await bodyOf(task.content, context);
  return { due, paused, body };
}

async function bodyOf(content: Content, context: DeliveryContext): Promise<string> {
  if (content.type === 'SubscriptionConfirmation') return '';
  const { bodyKey, bodyBase64 } = content;
  const body = bodyBase64 ?? (bodyKey && (await context.messages.getBody(bodyKey)));
  if (body === undefined) throw new InternalError('missingBody', { messageId: content.messageId });
  return body;
}

/**
 * Returns whether the subscription existed at publication and still wants the message. The subscription's address,
 * topic or filter may have changed since publication.
 */
function isAddressedTo(content: Content & { type: 'Notification' }, subscription: StoredSubscription): boolean {
  const { generation, createdAt, activeSince = createdAt } = subscription;
  // Use the earlier time, because different clocks set `createdAt` and `activeSince`. A reconciliation uses only
  // `activeSince`.
  const since = Math.min(createdAt, activeSince);
  const isSame = generation === content.generation && since <= Date.parse(content.timestamp) + clockMs;
  return isSame && (content.isTest || wantsEvent(subscription, content));
}

function isPaused(content: Content, subscription: StoredSubscription): boolean {
  if (content.type !== 'Notification' || content.isTest) return false;
  return subscription.pausedReason !== undefined && isAddressedTo(content, subscription);
}

/** For a confirmation, returns whether its request is open; for a notification, whether the subscription is active. */
function isDue(content: Content, subscription: StoredSubscription, now: number): boolean {
  if (content.type === 'Notification') {
    return subscription.isActive && isAddressedTo(content, subscription);
  }
  const request = requestOfToken(subscription, content.token);
  return request !== undefined && awaitsConfirmation(subscription, request, now);
}
