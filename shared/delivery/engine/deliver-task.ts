import { composeMessage } from '../../domain/messages/compose-message.ts';
import { Busy } from '../../model/deliveries/busy.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import { attempt } from './attempt.ts';
import { deliverSeveral } from './deliver-several.ts';
import { type DeliveryContext, leaseFrom } from './delivery-context.ts';
import { follow } from './follow.ts';
import { idsOf } from './ids-of.ts';
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
  const outcome = await attempt(task, message, claim, subscription, context);
  const isRecorded = await context.ledger.recordSingle(idsOf(task), uuid, lease, outcome, claim.base);
  if (!isRecorded) return;
  await follow(task, due, { [uuid]: outcome }, context);
}
