import { composeMessage } from '../../domain/deliveries/compose-message.ts';
import { ownTask } from '../../domain/deliveries/own-task.ts';
import { mostTogether } from '../../domain/deliveries/plan-tasks.ts';
import { inParts } from '../../domain/in-parts.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import type { LedgerOutcome } from '../../model/deliveries/outcome.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { Outcomes } from '../../storage/deliveries/outcomes.ts';
import { type DeliveryContext, leaseFrom } from '../delivery-context.ts';
import { attempt, tellAttempts } from './attempt.ts';
import { canPost, giveBack, prepare, putOff } from './before-posting.ts';
import { followEarlier, followOnce } from './follow.ts';
import { busyWith, idsOf } from './ids-of.ts';
import { readTask } from './read-task.ts';

/** Not tried here but in a task of its own, at once. */
const split = (at: number): LedgerOutcome => ({ class: 'split', at, next: 'retry', notBefore: at });

/**
 * Delivers a bucket's task: to `mostTogether` of its subscriptions at once, recorded together. The others of an oversized bucket
 * are then taken into its row to be tried alone; where we die before that, the task shown again does it, or the audit.
 * @throws what every one of its attempts failed by, for a reason of ours
 */
export async function deliverSeveral(task: DeliveryTask, context: DeliveryContext): Promise<void> {
  const prepared = await prepare(context, async () => {
    const { due, paused, body } = await readTask(task, context);
    const lease = leaseFrom(context);
    const wanting = [...due, ...paused];
    const claim = wanting.length === 0 ? undefined : await context.ledger.claim(idsOf(task), lease);
    return { due, wanting, body, lease, claim };
  });
  if (prepared.isLate) return putOff(task, context);
  const { due, wanting, body, lease, claim } = prepared.result;
  if (claim === undefined) return;
  if (claim.is === 'busy') throw busyWith(task);
  if (claim.is === 'done') {
    if (!claim.isFollowed) await followEarlier(task, due, claim.outcomes, context);
    return admitMissing(task, wanting, claim.outcomes, context);
  }

  if (!canPost(context)) return giveBack(task, lease, context);

  // Once for all of them: they share its signature too.
  const message = composeMessage(task.content, body, context.compose);
  const together = wanting.slice(0, mostTogether);
  const thrown: unknown[] = [];
  let made = 0;
  const attempts = together.map(async (subscription): Promise<readonly [string, LedgerOutcome]> => {
    // One that has been failing must hold up nobody: neither the others of its task nor the tasks that wait. One that was
    // paused since gets a row of its own, where its task ends as failed: an operator may have it made again.
    if (subscription.isFailing || !subscription.isActive) return [subscription.uuid, split(context.now())];
    try {
      const outcome = await attempt(task, message, { base: 0 }, subscription, context);
      made += 1;
      return [subscription.uuid, outcome];
    } catch (error) {
      thrown.push(error);
      // A fault of ours with one of them is not the others': alone it shows itself, and goes to the dead letters.
      return [subscription.uuid, split(context.now())];
    }
  });
  const outcomes = Object.fromEntries(await Promise.all(attempts));
  if (made === 0 && thrown.length > 0) {
    // None could be asked, so it is about none of them (keys that cannot be read): the task goes back as it came.
    await context.ledger.release(idsOf(task), lease).catch(() => {});
    throw thrown[0];
  }
  const recording = context.ledger.record(idsOf(task), lease, outcomes);
  const isRecorded = await recording.finally(() => tellAttempts(task, outcomes, context));
  if (!isRecorded) return;
  await followOnce(task, due, outcomes, lease, context);
  await admitMissing(task, wanting, outcomes, context);
}

/**
 * Takes into a recorded task whom its row does not know: those beyond `mostTogether`, and whom fan-out has found since. From
 * then on the row says that they were served, and each has a task alone.
 */
async function admitMissing(
  task: DeliveryTask,
  wanting: readonly StoredSubscription[],
  recorded: Outcomes,
  context: DeliveryContext,
): Promise<void> {
  const missing = wanting.filter(({ uuid }) => !Object.hasOwn(recorded, uuid));
  let known = Object.keys(recorded).length;
  for (const some of inParts(missing, mostTogether)) {
    const lease = leaseFrom(context);
    const late = Object.fromEntries(some.map(({ uuid }) => [uuid, split(lease.now)]));
    await context.ledger.admit(idsOf(task), lease, late, known);
    known += some.length;
    await context.laterLane.sendMany(some.map(({ uuid }) => ({ group: uuid, payload: ownTask(task, uuid, 0) })));
  }
}
