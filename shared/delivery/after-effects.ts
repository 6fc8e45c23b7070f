import { assessHealth } from '../domain/deliveries/health.ts';
import { type DeliveryOutcome, failureOf } from '../domain/deliveries/outcome.ts';
import { nextHopSeconds } from '../domain/deliveries/retry.ts';
import { type DeliveryTask, singleTask, type WaitingTask } from '../domain/deliveries/task.ts';
import { deliveryExpiry } from '../domain/deliveries/times.ts';
import { statusCheckAt } from '../domain/subscriptions/status-event.ts';
import type { StoredSubscription } from '../domain/subscriptions/subscription.ts';
import { hashToken } from '../domain/subscriptions/subscription-token.ts';
import { dayMs } from '../domain/time.ts';
import type { Lease } from '../storage/deliveries/rows.ts';
import type { Outcomes } from '../storage/deliveries/single-deliveries.ts';
import type { Sending } from '../storage/queues/store.ts';
import { busyError, type DeliveryContext, leaseFrom, taskIdOf } from './delivery-context.ts';

/** Creates the message that sends a task to the `retry` queue. `notBefore` is in epoch milliseconds. */
export function retrySending(notBefore: number, task: DeliveryTask, now: number): Sending<WaitingTask> {
  const group = task.subscriptionUuids[0] ?? task.taskKey;
  return { group, payload: { notBefore, task }, delaySeconds: nextHopSeconds(notBefore, now) };
}

/** Sends single deliveries, which are due at once, to the `later` lane. */
export const sendSingles = (
  task: DeliveryTask,
  uuids: readonly string[],
  { laterLane }: DeliveryContext,
): Promise<void> => laterLane.sendMany(uuids.map((uuid) => ({ group: uuid, payload: singleTask(task, uuid, 0) })));

// An email with an unknown outcome may have arrived, so it counts as failed only after the last attempt.
const hasAttemptFailed = ({ class: kind, next }: DeliveryOutcome): boolean =>
  next === 'failed' || (next === 'retry' && kind !== 'unknown');

/**
 * Updates the health of the subscriptions, and reports deliveries that have failed permanently. If a receiver has
 * recovered, starts the release of its parked messages.
 */
async function recordHealth(
  task: DeliveryTask,
  subscriptions: readonly StoredSubscription[],
  outcomes: Outcomes,
  context: DeliveryContext,
): Promise<void> {
  const { content } = task;
  const { deliveryDays, pauseAfterDays } = context.settings;
  const notes = subscriptions.map(async (subscription) => {
    const { uuid } = subscription;
    const outcome = outcomes[uuid];
    if (outcome === undefined) return;
    if (outcome.next === 'failed') context.onFailed(content.messageId, uuid, outcome);
    if (content.type === 'SubscriptionConfirmation') {
      const hash = hashToken(content.token);
      const hasFailed = hasAttemptFailed(outcome);
      if (hasFailed !== (subscription.requests[hash]?.hasFailed ?? false) && !outcome.isPostponed)
        await context.subscriptions.markRequestFailed(uuid, hash, hasFailed);
      return;
    }
    if (content.isTest) {
      const lastTest = { messageId: content.messageId, ...failureOf(outcome) };
      await context.subscriptions.recordHealth(subscription, { lastTest });
      return;
    }
    const change = assessHealth(subscription, outcome, pauseAfterDays * dayMs);
    if (change) {
      const checkAt = statusCheckAt(subscription, change, context.now(), context.leaseMs);
      // Schedule the status check before recording the health. If the process stops between these steps, the check
      // finds no change.
      if (checkAt !== undefined)
        await context.deliveries.scheduleStatusCheck(uuid, checkAt, deliveryExpiry(checkAt, deliveryDays));
      await context.subscriptions.recordHealth(subscription, change);
    }
    const hasRecovered = change?.lastDeliveredAt !== undefined && subscription.failingSince !== undefined;
    if (hasRecovered) await context.queues.fanOut.send({ payload: { parkingOf: uuid }, group: uuid });
  });
  await Promise.all(notes);
}

/** Sends retries to the retry queue and deferred deliveries to the `later` lane. Safe to run twice. */
async function sendRetries(task: DeliveryTask, outcomes: Outcomes, context: DeliveryContext): Promise<void> {
  const following = Object.entries(outcomes).filter(([, { next }]) => next === 'retry');
  const split = following.filter(([, outcome]) => outcome.class === 'split').map(([uuid]) => uuid);
  const retries = following.filter(([, outcome]) => outcome.class !== 'split');
  await sendSingles(task, split, context);
  const waiting = retries.map(([uuid, { notBefore = 0 }]) =>
    retrySending(notBefore, singleTask(task, uuid, task.attempt + 1), context.now()),
  );
  await context.queues.retry.sendMany(waiting);
}

const daySeconds = dayMs / 1000;

/** Extends the expiry of a message if its next retry is due more than half of `deliveryDays` after its publication. */
async function extendMessage(
  { content }: DeliveryTask,
  { next, notBefore = 0 }: DeliveryOutcome,
  context: DeliveryContext,
): Promise<void> {
  const isLong = notBefore - Date.parse(content.timestamp) > (context.settings.deliveryDays * dayMs) / 2;
  if (next !== 'retry' || !isLong) return;
  // Round up to a full day, so that a long body is stored again at most once per day.
  const expiresAt = Math.ceil(deliveryExpiry(notBefore, context.settings.deliveryDays) / daySeconds) * daySeconds;
  const isKept = await context.deliveries.extendMessage(content.messageId, expiresAt);
  if (!isKept || content.type !== 'Notification' || content.bodyKey === undefined) return;
  const body = await context.messages.getBody(content.bodyKey);
  if (body !== undefined) await context.messages.putBody(content.bodyKey, body);
}

// Successful outcomes and failed probes cause no retries or failure reports, so repeating their after-effects is
// harmless.
const needsMark = (outcomes: Outcomes): boolean =>
  Object.values(outcomes).some(({ next }) => next === 'retry' || next === 'failed');

/**
 * Schedules retries, extends the expiry of the message, and updates the subscriptions' health. Without `lease`, an
 * earlier run recorded the outcomes, and may have stopped before completing the after-effects.
 * @throws Busy while the earlier run may still be running the after-effects
 */
export async function runAfterEffects(
  task: DeliveryTask,
  subscriptions: readonly StoredSubscription[],
  outcomes: Outcomes,
  context: DeliveryContext,
  lease?: Lease,
): Promise<void> {
  const following = async () => {
    await sendRetries(task, outcomes, context);
    for (const outcome of Object.values(outcomes)) await extendMessage(task, outcome, context);
    await recordHealth(task, subscriptions, outcomes, context);
  };
  await (needsMark(outcomes) ? runOnce(task, context, following, lease) : following());
}

/**
 * Runs after-effects, and marks them as done. Without `ownLease`, takes over the after-effects of an earlier run, unless
 * they are done. The lease prevents a duplicate task from starting a second chain of retries or reporting a failure
 * twice.
 * @throws Busy while the earlier run may still be running the after-effects
 */
export async function runOnce(
  task: DeliveryTask,
  context: DeliveryContext,
  following: () => Promise<void>,
  ownLease?: Lease,
): Promise<void> {
  const lease = ownLease ?? leaseFrom(context);
  const taken = ownLease ? 'taken' : await context.deliveries.takeOverAfterEffects(taskIdOf(task), lease);
  if (taken === 'busy') throw busyError(task);
  if (taken === 'done') return;
  await following();
  // Errors are ignored: at worst, a duplicate task repeats the after-effects.
  await context.deliveries.markAfterEffectsDone(taskIdOf(task), lease).catch(() => {});
}
