import { composeMessage } from '../../domain/deliveries/compose-message.ts';
import { isItsTurn, turnWaitMs } from '../../domain/deliveries/retry.ts';
import type { DeliveryTask } from '../../domain/deliveries/task.ts';
import { deliveryExpiry } from '../../domain/deliveries/times.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import {
  extendMessage,
  markAfterEffectsDone,
  resumeAfterEffects,
  retrySending,
  runAfterEffectsOnce,
  takeOverAfterEffects,
} from '../after-effects.ts';
import { attempt, hasTimeToAttempt, postponeTask, prepare, releaseTask, reportAttempts } from '../attempt.ts';
import { type DeliveryContext, leaseFrom } from '../delivery-context.ts';
import { busyError, readTask, taskIdOf } from '../read-task.ts';

/**
 * Postpones a task while the failing subscription's oldest messages are retried. A postponement does not count as an
 * attempt. Returns true if the task must wait, or was already waiting.
 */
async function waitsForTurn(
  task: DeliveryTask,
  { uuid, failingSince }: StoredSubscription,
  context: DeliveryContext,
): Promise<boolean> {
  if (failingSince === undefined || task.content.type === 'SubscriptionConfirmation' || task.content.isTest)
    return false;
  const now = context.now();
  const waitMs = turnWaitMs(failingSince, now);
  const oldest = await context.deliveries.listOldestWaiting(uuid, now, now + waitMs);
  if (isItsTurn(task.content.messageId, oldest)) return false;
  // Spread the times, so that the tasks do not all run in the same second.
  const notBefore = now + Math.round(waitMs * (1 + context.jitter() / 2));
  const state = await context.deliveries.waitStateOf(taskIdOf(task), now);
  if (state !== 'due') return state === 'waits';
  // Start the timer before deferring the row. If the process stops in between, the repeated task starts a second timer, which is harmless.
  await context.retry.sendMany([retrySending(notBefore, uuid, task, context)]);
  await extendMessage(task, { next: 'retry', notBefore }, context);
  const expiresAt = deliveryExpiry(notBefore, context.deliveryDays);
  return (await context.deliveries.defer(taskIdOf(task), now, notBefore, expiresAt)) !== 'leased';
}

/**
 * Makes one attempt at a single delivery.
 * @throws Busy while another run holds the lease
 */
export async function deliverSingle(task: DeliveryTask, context: DeliveryContext): Promise<void> {
  const prepared = await prepare(context, async () => {
    const read = await readTask(task, context);
    const [subscription] = read.due;
    const isWaiting = subscription !== undefined && (await waitsForTurn(task, subscription, context));
    const lease = leaseFrom(context);
    if (subscription === undefined || isWaiting) return { ...read, subscription, isWaiting, lease, claim: undefined };
    const claim = await context.deliveries.acquireSingle(taskIdOf(task), subscription.uuid, lease);
    return { ...read, subscription, isWaiting, lease, claim };
  });
  if (prepared.isLate) return postponeTask(task, context);
  const { due, paused, body, subscription, isWaiting, lease, claim } = prepared.result;
  if (isWaiting) return;
  if (subscription === undefined || claim === undefined) return drop(task, paused.length > 0, context);
  const { uuid } = subscription;
  if (claim.is === 'busy') throw busyError(task);
  if (claim.is === 'done') {
    // An earlier run recorded this attempt, but may have stopped before its after-effects.
    if (claim.hasRunAfterEffects || claim.attempt !== task.attempt || claim.outcome === undefined) return;
    return resumeAfterEffects(task, due, { [uuid]: claim.outcome }, context);
  }
  if (!hasTimeToAttempt(context)) return releaseTask(task, lease, context);
  const message = composeMessage(task.content, body, context.compose);
  const outcome = await attempt(task, message, claim, subscription, context);
  const recording = context.deliveries.recordSingle(taskIdOf(task), uuid, lease, outcome, claim);
  const isRecorded = await recording.finally(() => reportAttempts(task, { [uuid]: outcome }, context));
  if (!isRecorded) return;
  await runAfterEffectsOnce(task, due, { [uuid]: outcome }, lease, context);
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
  if (end === 'failed') {
    await report();
    await markAfterEffectsDone(task, lease, context);
  }
  // An earlier run may have stopped before reporting the failure.
  if (end === 'alreadyFailed' && isPaused) await takeOverAfterEffects(task, context, report);
}
