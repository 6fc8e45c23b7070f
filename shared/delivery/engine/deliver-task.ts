import { composeMessage } from '../../domain/messages/compose-message.ts';
import type { DeliveryTask } from '../../model/deliveries/message.ts';
import { Busy, type LedgerOutcome } from '../../model/deliveries/outcome.ts';
import type { StoredSubscription } from '../../model/subscriptions/subscription.ts';
import type { Lease } from '../../storage/deliveries/deliver.ts';
import type { Outcomes } from '../../storage/deliveries/outcomes.ts';
import { attemptOne, follow, readTask, singleTask } from './attempt.ts';
import type { Engine } from './delivery-context.ts';

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
export const deliverTask = (task: DeliveryTask, isRepeated: boolean, engine: Engine): Promise<void> =>
  task.isSingle ? deliverSingle(task, isRepeated, engine) : deliverSeveral(task, isRepeated, engine);

/** Delivers the tasks of a batch side by side; one result for each, in order. */
export const deliverAll = (
  tasks: readonly DeliveryTask[],
  isRepeated: readonly boolean[],
  engine: Engine,
): Promise<PromiseSettledResult<void>[]> =>
  Promise.allSettled(tasks.map((task, index) => deliverTask(task, isRepeated[index] ?? false, engine)));

function leaseFrom(engine: Engine): Lease {
  const now = engine.now();
  return {
    id: engine.newId(),
    now,
    leaseUntil: now + engine.leaseMs,
    expiresAt: Math.floor((now + engine.ledgerMs) / 1000),
  };
}

const idsOf = ({ taskKey, attempt, protocol, content }: DeliveryTask) => ({
  messageId: content.messageId,
  taskKey,
  attempt,
  protocol,
  isConfirmation: content.type === 'SubscriptionConfirmation',
});

/** Not tried here but in a task of its own, at once. */
const moved = (at: number): LedgerOutcome => ({ class: 'moved', at, next: 'retry', notBefore: at });

async function deliverSeveral(task: DeliveryTask, isRepeated: boolean, engine: Engine): Promise<void> {
  const { due, paused, body } = await readTask(task, engine);
  if (due.length + paused.length === 0) return;
  const lease = leaseFrom(engine);
  const claim = await engine.deliveries.claim(idsOf(task), lease);
  if (claim.is === 'busy') throw new Busy(`${task.content.messageId} ${task.taskKey} is being delivered`);
  if (claim.is === 'done') return finishEarlier(task, isRepeated, due, claim.outcomes, engine);

  // Once for all of them: they share its signature too.
  const message = composeMessage(task.content, body, engine.compose);
  const attempts = due.map(async (subscription): Promise<readonly [string, LedgerOutcome]> => {
    // One that has been failing must hold up nobody: the others of its task, nor the tasks that wait for this function.
    if (subscription.isFailing) return [subscription.uuid, moved(engine.now())];
    try {
      return [subscription.uuid, await attemptOne(task, message, 0, subscription, engine)];
    } catch {
      // A fault of ours with one of them is not the others': alone it shows itself, and goes to the dead letters.
      return [subscription.uuid, moved(engine.now())];
    }
  });
  // One that was paused since gets a row of its own, where its task ends as failed: an operator may have it made again.
  const ending = paused.map(({ uuid }) => [uuid, moved(engine.now())] as const);
  const outcomes = Object.fromEntries([...(await Promise.all(attempts)), ...ending]);
  const isRecorded = await engine.deliveries.record(idsOf(task), lease, outcomes);
  if (!isRecorded) return;
  await follow(task, due, outcomes, engine);
}

/** The task was recorded before: what follows may be missing, and fan-out may have found more subscriptions since. */
async function finishEarlier(
  task: DeliveryTask,
  isRepeated: boolean,
  due: readonly StoredSubscription[],
  outcomes: Outcomes,
  engine: Engine,
): Promise<void> {
  // A duplicate made by the queue must not become a second chain of retries.
  if (isRepeated) await follow(task, due, outcomes, engine);
  const missing = due.filter(({ uuid }) => !Object.hasOwn(outcomes, uuid));
  if (missing.length === 0) return;
  const lease = leaseFrom(engine);
  const late = Object.fromEntries(missing.map(({ uuid }) => [uuid, moved(lease.now)]));
  await engine.deliveries.admit(idsOf(task), lease, late);
  await engine.queue.sendMany(missing.map(({ uuid }) => ({ group: uuid, job: singleTask(task, uuid, 0) })));
}

async function deliverSingle(task: DeliveryTask, isRepeated: boolean, engine: Engine): Promise<void> {
  const { due, paused, body } = await readTask(task, engine);
  const [subscription] = due;
  if (subscription === undefined) {
    const isPaused = paused.length > 0;
    const end = await engine.deliveries.drop(idsOf(task), isPaused, { id: engine.newId(), now: engine.now() });
    // An earlier run may have died before it told.
    const isToTell = end === 'failed' || (end === 'stood' && isPaused && isRepeated);
    for (const uuid of isToTell ? task.subscriptionUuids : []) {
      engine.onFailed(task.content.messageId, uuid, { class: 'paused' });
    }
    return;
  }
  const { uuid } = subscription;
  const lease = leaseFrom(engine);
  const claim = await engine.deliveries.claimSingle(idsOf(task), uuid, lease);
  if (claim.is === 'busy') throw new Busy(`${task.content.messageId} ${task.taskKey} is being delivered`);
  if (claim.is === 'done') {
    // Recorded by an earlier run of this very attempt, which may have died before what follows from it.
    if (!isRepeated || claim.attempt !== task.attempt || claim.outcome === undefined) return;
    return follow(task, due, { [uuid]: claim.outcome }, engine);
  }
  const message = composeMessage(task.content, body, engine.compose);
  const outcome = await attemptOne(task, message, claim.base, subscription, engine);
  const isRecorded = await engine.deliveries.recordSingle(idsOf(task), uuid, lease, outcome, claim.base);
  if (!isRecorded) return;
  await follow(task, due, { [uuid]: outcome }, engine);
}
