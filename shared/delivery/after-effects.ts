import { assessHealth, failureOf } from '../domain/deliveries/health.ts';
import type { DeliveryOutcome } from '../domain/deliveries/outcome.ts';
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
import { type DeliveryContext, leaseFrom } from './delivery-context.ts';
import { busyError, taskIdOf } from './read-task.ts';

/** Creates the message that sends a single delivery to the `retry` queue. `notBefore` is in epoch milliseconds. */
function retrySending(
  notBefore: number,
  uuid: string,
  task: DeliveryTask,
  { now }: Pick<DeliveryContext, 'now'>,
): Sending<WaitingTask> {
  return { group: uuid, payload: { notBefore, task }, delaySeconds: nextHopSeconds(notBefore, now()) };
}

// An email with an unknown outcome may have arrived, so it counts as failed only after the last attempt.
const hasAttemptFailed = ({ class: kind, next }: DeliveryOutcome): boolean =>
  next === 'failed' || (next === 'retry' && kind !== 'unknown');

/**
 * Updates the health of the subscriptions, and reports deliveries that have failed permanently. If a receiver has
 * recovered, starts the release of its parked messages.
 */
export async function recordHealth(
  task: DeliveryTask,
  subscriptions: readonly StoredSubscription[],
  outcomes: Outcomes,
  context: DeliveryContext,
): Promise<void> {
  const { content } = task;
  const notes = subscriptions.map(async (subscription) => {
    const outcome = outcomes[subscription.uuid];
    if (outcome === undefined) return;
    if (outcome.next === 'failed') context.onFailed(content.messageId, subscription.uuid, outcome);
    if (content.type === 'SubscriptionConfirmation') {
      const hash = hashToken(content.token);
      const hasFailed = hasAttemptFailed(outcome);
      if (hasFailed !== (subscription.requests[hash]?.hasFailed ?? false) && !outcome.isPostponed)
        await context.subscriptions.markRequestFailed(subscription.uuid, hash, hasFailed);
      return;
    }
    if (content.isTest) {
      const lastTest = { messageId: content.messageId, ...failureOf(outcome) };
      await context.subscriptions.recordHealth(subscription, { lastTest });
      return;
    }
    const change = assessHealth(subscription, outcome, context.pauseAfterMs);
    if (change) {
      const checkAt = statusCheckAt(subscription, change, context.now(), context.leaseMs);
      // Schedule the status check before recording the health. If the process stops between these steps, the check
      // finds no change.
      if (checkAt !== undefined)
        await context.deliveries.scheduleStatusCheck(
          subscription.uuid,
          checkAt,
          deliveryExpiry(checkAt, context.deliveryDays),
        );
      await context.subscriptions.recordHealth(subscription, change);
    }
    const hasRecovered = change?.lastDeliveredAt !== undefined && subscription.failingSince !== undefined;
    if (hasRecovered)
      await context.fanOut.send({ payload: { parkingOf: subscription.uuid }, group: subscription.uuid });
  });
  await Promise.all(notes);
}

/** Sends retries to the retry queue and deferred deliveries to the `later` lane. Safe to run twice. */
async function sendRetries(task: DeliveryTask, outcomes: Outcomes, context: DeliveryContext): Promise<void> {
  const following = Object.entries(outcomes).filter(([, { next }]) => next === 'retry');
  const split = following.filter(([, outcome]) => outcome.class === 'split');
  const retries = following.filter(([, outcome]) => outcome.class !== 'split');
  if (split.length > 0) {
    await context.laterLane.sendMany(split.map(([uuid]) => ({ group: uuid, payload: singleTask(task, uuid, 0) })));
  }
  const waiting = retries.map(([uuid, { notBefore = 0 }]) =>
    retrySending(notBefore, uuid, singleTask(task, uuid, task.attempt + 1), context),
  );
  if (waiting.length > 0) await context.retry.sendMany(waiting);
}

const daySeconds = dayMs / 1000;

/** Extends the expiry of a message if its next retry is due more than half of `deliveryDays` after its publication. */
async function extendMessage(
  { content }: DeliveryTask,
  outcome: Pick<DeliveryOutcome, 'next' | 'notBefore'>,
  context: DeliveryContext,
): Promise<void> {
  const { next, notBefore = 0 } = outcome;
  const isLong = notBefore - Date.parse(content.timestamp) > (context.deliveryDays * dayMs) / 2;
  if (next !== 'retry' || !isLong) return;
  // Round up to a full day, so that a long body is stored again at most once per day.
  const expiresAt = Math.ceil(deliveryExpiry(notBefore, context.deliveryDays) / daySeconds) * daySeconds;
  const isKept = await context.deliveries.extendMessage(content.messageId, expiresAt);
  if (!isKept || content.type !== 'Notification' || content.bodyKey === undefined) return;
  const body = await context.bodyOf(content.bodyKey);
  if (body !== undefined) await context.messages.putBody(content.bodyKey, body);
}

/** Schedules retries, extends the expiry of the message and updates the subscriptions' health. Safe to repeat. */
async function runAfterEffects(
  task: DeliveryTask,
  subscriptions: readonly StoredSubscription[],
  outcomes: Outcomes,
  context: DeliveryContext,
): Promise<void> {
  await sendRetries(task, outcomes, context);
  for (const outcome of Object.values(outcomes)) await extendMessage(task, outcome, context);
  await recordHealth(task, subscriptions, outcomes, context);
}

// Successful outcomes and failed probes cause no retries or failure reports, so repeating their after-effects is
// harmless.
const needsMark = (outcomes: Outcomes): boolean =>
  Object.values(outcomes).some(({ next }) => next === 'retry' || next === 'failed');

/** Runs the after-effects of the outcomes that the current run has recorded, and then marks them as done. */
export async function runAfterEffectsOnce(
  task: DeliveryTask,
  subscriptions: readonly StoredSubscription[],
  outcomes: Outcomes,
  lease: Lease,
  context: DeliveryContext,
): Promise<void> {
  await runAfterEffects(task, subscriptions, outcomes, context);
  if (needsMark(outcomes)) await markAfterEffectsDone(task, lease, context);
}

/**
 * Runs the after-effects of recorded outcomes if an earlier run stopped before completing them.
 * @throws Busy while the lease of the earlier run is valid
 */
export async function resumeAfterEffects(
  task: DeliveryTask,
  subscriptions: readonly StoredSubscription[],
  outcomes: Outcomes,
  context: DeliveryContext,
): Promise<void> {
  const following = () => runAfterEffects(task, subscriptions, outcomes, context);
  await (needsMark(outcomes) ? takeOverAfterEffects(task, context, following) : following());
}

/**
 * Runs the after-effects that an earlier run did not complete. The lease prevents a duplicate task from starting a
 * second chain of retries or reporting a failure twice.
 * @throws Busy while the earlier run may still be running the after-effects
 */
export async function takeOverAfterEffects(
  task: DeliveryTask,
  context: DeliveryContext,
  following: () => Promise<void>,
): Promise<void> {
  const lease = leaseFrom(context);
  const taken = await context.deliveries.takeOverAfterEffects(taskIdOf(task), lease);
  if (taken === 'busy') throw busyError(task);
  if (taken === 'done') return;
  await following();
  await markAfterEffectsDone(task, lease, context);
}

export async function markAfterEffectsDone(task: DeliveryTask, lease: Lease, context: DeliveryContext): Promise<void> {
  // Errors are ignored: at worst, a duplicate task repeats the after-effects.
  await context.deliveries.markAfterEffectsDone(taskIdOf(task), lease).catch(() => {});
}
