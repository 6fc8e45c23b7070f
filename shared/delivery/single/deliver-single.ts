import { isActiveMessage, isDead, maxActiveMessages, orderOf, parkedExpiry } from '../../domain/deliveries/parking.ts';
import type { DeliveryTask } from '../../domain/deliveries/task.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import type { Lease } from '../../storage/deliveries/rows.ts';
import { runAfterEffects, runOnce } from '../after-effects.ts';
import { attempt, hasTimeToAttempt, messageComposer, prepare, releaseTask, reportAttempts } from '../attempt.ts';
import { type DeliveryContext, leaseFrom } from '../delivery-context.ts';
import { busyError, readTask, taskIdOf } from '../read-task.ts';

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

/** The message of a failed probe stays parked, so its row is kept for as long as the rows of other parked messages. */
function probeLease(context: DeliveryContext): Lease {
  const lease = leaseFrom(context);
  return { ...lease, expiresAt: parkedExpiry(lease.now, context.settings.deliveryDays) };
}

/**
 * Makes one attempt at a single delivery.
 * @throws Busy while another run holds the lease
 */
export async function deliverSingle(task: DeliveryTask, context: DeliveryContext): Promise<void> {
  const prepared = await prepare(task, context, async () => {
    const read = await readTask(task, context);
    const [subscription] = read.due;
    const isOver = subscription !== undefined && (await isParked(task, subscription, context));
    const lease = task.isProbe ? probeLease(context) : leaseFrom(context);
    if (subscription === undefined || isOver) return { ...read, subscription, isOver, lease, claim: undefined };
    const claim = await context.deliveries.acquireSingle(taskIdOf(task), subscription.uuid, lease);
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
