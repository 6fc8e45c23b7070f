import { composeMessage } from '../../domain/deliveries/compose-message.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import { type DeliveryContext, leaseFrom } from '../delivery-context.ts';
import { attempt, tellAttempts } from './attempt.ts';
import { canPost, giveBack, prepare, putOff } from './before-posting.ts';
import { doEarlier, followEarlier, followOnce, noteFollowed } from './follow.ts';
import { busyWith, idsOf } from './ids-of.ts';
import { readTask } from './read-task.ts';
import { waitsForTurn } from './turn.ts';

/** Makes one attempt at a subscription's own task. @throws Busy */
export async function deliverSingle(task: DeliveryTask, context: DeliveryContext): Promise<void> {
  const prepared = await prepare(context, async () => {
    const read = await readTask(task, context);
    const [subscription] = read.due;
    const isWaiting = subscription !== undefined && (await waitsForTurn(task, subscription, context));
    const lease = leaseFrom(context);
    if (subscription === undefined || isWaiting) return { ...read, subscription, isWaiting, lease, claim: undefined };
    const claim = await context.ledger.claimSingle(idsOf(task), subscription.uuid, lease);
    return { ...read, subscription, isWaiting, lease, claim };
  });
  if (prepared.isLate) return putOff(task, context);
  const { due, paused, body, subscription, isWaiting, lease, claim } = prepared.result;
  if (isWaiting) return;
  if (subscription === undefined || claim === undefined) return drop(task, paused.length > 0, context);
  const { uuid } = subscription;
  if (claim.is === 'busy') throw busyWith(task);
  if (claim.is === 'done') {
    // Recorded by an earlier run of this very attempt, which may have died before what follows from it.
    if (claim.isFollowed || claim.attempt !== task.attempt || claim.outcome === undefined) return;
    return followEarlier(task, due, { [uuid]: claim.outcome }, context);
  }
  if (!canPost(context)) return giveBack(task, lease, context);
  const message = composeMessage(task.content, body, context.compose);
  const outcome = await attempt(task, message, claim, subscription, context);
  const recording = context.ledger.recordSingle(idsOf(task), uuid, lease, outcome, claim);
  const isRecorded = await recording.finally(() => tellAttempts(task, { [uuid]: outcome }, context));
  if (!isRecorded) return;
  await followOnce(task, due, { [uuid]: outcome }, lease, context);
}

/** Ends the task of one that is gone or paused; what ends by a pause is reported as failed. */
async function drop(task: DeliveryTask, isPaused: boolean, context: DeliveryContext): Promise<void> {
  const lease = leaseFrom(context);
  const end = await context.ledger.drop(idsOf(task), isPaused, lease);
  const report = async () => {
    for (const uuid of task.subscriptionUuids) {
      context.onFailed(task.content.messageId, uuid, { class: 'paused' });
    }
  };
  if (end === 'failed') {
    await report();
    await noteFollowed(task, lease, context);
  }
  // An earlier run may have died before it told.
  if (end === 'stood' && isPaused) await doEarlier(task, context, report);
}
