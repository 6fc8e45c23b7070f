import { ownTask } from '../../domain/deliveries/own-task.ts';
import { composeMessage } from '../../domain/messages/compose-message.ts';
import { Busy } from '../../model/deliveries/busy.ts';
import type { LedgerOutcome } from '../../model/deliveries/outcome.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { StoredSubscription } from '../../model/subscriptions/subscription.ts';
import type { Outcomes } from '../../storage/deliveries/outcomes.ts';
import { attempt } from './attempt.ts';
import { type DeliveryContext, leaseFrom } from './delivery-context.ts';
import { follow } from './follow.ts';
import { readTask } from './read-task.ts';

/**
 * Delivers one task: reads who is still subscribed, claims it, sends to all of them at once, records how it ended, and
 * sends what failed to wait.
 *
 * Once only: the claim suppresses duplicates that the queue makes. When the process dies between sending and recording,
 * the lease runs out, the queue shows the task again and the receiver gets the message a second time with the same
 * message-id. When it dies between recording and the timer, the task shown again does what follows; and when the queues
 * lose it, the sweeper does.
 * @param isRepeated the queue has shown this very task before, so that an earlier run may have died
 * @throws Busy while another copy holds the claim
 */
export const deliverTask = (task: DeliveryTask, isRepeated: boolean, context: DeliveryContext): Promise<void> =>
  task.isSingle ? deliverSingle(task, isRepeated, context) : deliverSeveral(task, isRepeated, context);

/** Delivers the tasks of a batch side by side; one result for each, in order. */
export const deliverAll = (
  tasks: readonly DeliveryTask[],
  isRepeated: readonly boolean[],
  context: DeliveryContext,
): Promise<PromiseSettledResult<void>[]> =>
  Promise.allSettled(tasks.map((task, index) => deliverTask(task, isRepeated[index] ?? false, context)));

const idsOf = ({ taskKey, attempt, protocol, content }: DeliveryTask) => ({
  messageId: content.messageId,
  taskKey,
  attempt,
  protocol,
  isConfirmation: content.type === 'SubscriptionConfirmation',
});

/** Not tried here but in a task of its own, at once. */
const split = (at: number): LedgerOutcome => ({ class: 'split', at, next: 'retry', notBefore: at });

async function deliverSeveral(task: DeliveryTask, isRepeated: boolean, context: DeliveryContext): Promise<void> {
  const { due, paused, body } = await readTask(task, context);
  if (due.length + paused.length === 0) return;
  const lease = leaseFrom(context);
  const claim = await context.ledger.claim(idsOf(task), lease);
  if (claim.is === 'busy') throw new Busy(`${task.content.messageId} ${task.taskKey} is being delivered`);
  if (claim.is === 'done') return finishEarlier(task, isRepeated, due, claim.outcomes, context);

  // Once for all of them: they share its signature too.
  const message = composeMessage(task.content, body, context.compose);
  const attempts = due.map(async (subscription): Promise<readonly [string, LedgerOutcome]> => {
    // One that has been failing must hold up nobody: neither the others of its task nor the tasks that wait.
    if (subscription.isFailing) return [subscription.uuid, split(context.now())];
    try {
      return [subscription.uuid, await attempt(task, message, 0, subscription, context)];
    } catch {
      // A fault of ours with one of them is not the others': alone it shows itself, and goes to the dead letters.
      return [subscription.uuid, split(context.now())];
    }
  });
  // One that was paused since gets a row of its own, where its task ends as failed: an operator may have it made again.
  const ending = paused.map(({ uuid }) => [uuid, split(context.now())] as const);
  const outcomes = Object.fromEntries([...(await Promise.all(attempts)), ...ending]);
  const isRecorded = await context.ledger.record(idsOf(task), lease, outcomes);
  if (!isRecorded) return;
  await follow(task, due, outcomes, context);
}

/** The task was recorded before: what follows may be missing, and fan-out may have found more subscriptions since. */
async function finishEarlier(
  task: DeliveryTask,
  isRepeated: boolean,
  due: readonly StoredSubscription[],
  outcomes: Outcomes,
  context: DeliveryContext,
): Promise<void> {
  // A duplicate made by the queue must not become a second chain of retries.
  if (isRepeated) await follow(task, due, outcomes, context);
  const missing = due.filter(({ uuid }) => !Object.hasOwn(outcomes, uuid));
  if (missing.length === 0) return;
  const lease = leaseFrom(context);
  const late = Object.fromEntries(missing.map(({ uuid }) => [uuid, split(lease.now)]));
  await context.ledger.admit(idsOf(task), lease, late);
  await context.laterLane.sendMany(missing.map(({ uuid }) => ({ group: uuid, payload: ownTask(task, uuid, 0) })));
}

async function deliverSingle(task: DeliveryTask, isRepeated: boolean, context: DeliveryContext): Promise<void> {
  const { due, paused, body } = await readTask(task, context);
  const [subscription] = due;
  if (subscription === undefined) {
    const isPaused = paused.length > 0;
    const end = await context.ledger.drop(idsOf(task), isPaused, { id: context.newId(), now: context.now() });
    // An earlier run may have died before it told.
    const isToTell = end === 'failed' || (end === 'stood' && isPaused && isRepeated);
    for (const uuid of isToTell ? task.subscriptionUuids : []) {
      context.onFailed(task.content.messageId, uuid, { class: 'paused' });
    }
    return;
  }
  const { uuid } = subscription;
  const lease = leaseFrom(context);
  const claim = await context.ledger.claimSingle(idsOf(task), uuid, lease);
  if (claim.is === 'busy') throw new Busy(`${task.content.messageId} ${task.taskKey} is being delivered`);
  if (claim.is === 'done') {
    // Recorded by an earlier run of this very attempt, which may have died before what follows from it.
    if (!isRepeated || claim.attempt !== task.attempt || claim.outcome === undefined) return;
    return follow(task, due, { [uuid]: claim.outcome }, context);
  }
  const message = composeMessage(task.content, body, context.compose);
  const outcome = await attempt(task, message, claim.base, subscription, context);
  const isRecorded = await context.ledger.recordSingle(idsOf(task), uuid, lease, outcome, claim.base);
  if (!isRecorded) return;
  await follow(task, due, { [uuid]: outcome }, context);
}
