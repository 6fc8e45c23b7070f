import { dayMs } from '../../domain/day-ms.ts';
import { ownTask } from '../../domain/deliveries/own-task.ts';
import { ledgerExpiry } from '../../domain/deliveries/times.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import type { LedgerOutcome } from '../../model/deliveries/outcome.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { Lease } from '../../storage/deliveries/lease.ts';
import type { Outcomes } from '../../storage/deliveries/outcomes.ts';
import { type DeliveryContext, leaseFrom } from '../delivery-context.ts';
import { busyWith, idsOf } from './ids-of.ts';
import { noteHealth } from './note-health.ts';
import { waitingUntil } from './waiting.ts';

/** Sends the retries of these outcomes to wait, and what was split off to its lane. Sent twice they do no harm. */
async function sendFollowing(task: DeliveryTask, outcomes: Outcomes, context: DeliveryContext): Promise<void> {
  const following = Object.entries(outcomes).filter(([, { next }]) => next === 'retry');
  const split = following.filter(([, outcome]) => outcome.class === 'split');
  const retries = following.filter(([, outcome]) => outcome.class !== 'split');
  if (split.length > 0) {
    await context.laterLane.sendMany(split.map(([uuid]) => ({ group: uuid, payload: ownTask(task, uuid, 0) })));
  }
  const waiting = retries.map(([uuid, { notBefore = 0 }]) =>
    waitingUntil(notBefore, uuid, ownTask(task, uuid, task.attempt + 1), context),
  );
  if (waiting.length > 0) await context.retry.sendMany(waiting);
}

const daySeconds = dayMs / 1000;

/** Keeps the message as long as its retries last, which may be longer than the ledger otherwise keeps it. */
export async function keepForRetries(
  { content }: DeliveryTask,
  outcome: Pick<LedgerOutcome, 'next' | 'notBefore'>,
  context: DeliveryContext,
): Promise<void> {
  const { next, notBefore = 0 } = outcome;
  const isLong = notBefore - Date.parse(content.timestamp) > (context.ledgerDays * dayMs) / 2;
  if (next !== 'retry' || !isLong) return;
  // Once a day: a body that is kept longer is written again, which its expiry counts from.
  const expiresAt = Math.ceil(ledgerExpiry(notBefore, context.ledgerDays) / daySeconds) * daySeconds;
  const isKept = await context.ledger.keepMessage(content.messageId, expiresAt);
  if (!isKept || content.type !== 'Notification' || content.bodyKey === undefined) return;
  const body = await context.bodyOf(content.bodyKey);
  if (body !== undefined) await context.messages.putBody(content.bodyKey, body);
}

/** Everything that follows from outcomes once they are recorded; done again after a crash it does no harm. */
async function follow(
  task: DeliveryTask,
  subscriptions: readonly StoredSubscription[],
  outcomes: Outcomes,
  context: DeliveryContext,
): Promise<void> {
  await sendFollowing(task, outcomes, context);
  for (const outcome of Object.values(outcomes)) await keepForRetries(task, outcome, context);
  await noteHealth(task, subscriptions, outcomes, context);
}

// Deliveries start no chain of retries and report nothing: what they note of health is as well noted twice.
const isNoted = (outcomes: Outcomes): boolean => Object.values(outcomes).some(({ next }) => next !== 'none');

/** Does what follows from outcomes that this run has recorded under its lease, and notes that it was done. */
export async function followOnce(
  task: DeliveryTask,
  subscriptions: readonly StoredSubscription[],
  outcomes: Outcomes,
  lease: Lease,
  context: DeliveryContext,
): Promise<void> {
  await follow(task, subscriptions, outcomes, context);
  if (isNoted(outcomes)) await noteFollowed(task, lease, context);
}

/** Does what follows from outcomes that an earlier run has recorded, where that one has died before it did. @throws Busy */
export async function followEarlier(
  task: DeliveryTask,
  subscriptions: readonly StoredSubscription[],
  outcomes: Outcomes,
  context: DeliveryContext,
): Promise<void> {
  const following = () => follow(task, subscriptions, outcomes, context);
  await (isNoted(outcomes) ? doEarlier(task, context, following) : following());
}

/**
 * Does what an earlier run has left undone, and notes it: a duplicate made by the queue must not become a second chain of
 * retries, nor report a failure twice. @throws Busy while the earlier run may be at it
 */
export async function doEarlier(
  task: DeliveryTask,
  context: DeliveryContext,
  following: () => Promise<void>,
): Promise<void> {
  const lease = leaseFrom(context);
  const taken = await context.ledger.takeOver(idsOf(task), lease);
  if (taken === 'busy') throw busyWith(task);
  if (taken === 'followed') return;
  await following();
  await noteFollowed(task, lease, context);
}

/** Notes that what follows from a task was done under this lease. */
export async function noteFollowed(task: DeliveryTask, lease: Lease, context: DeliveryContext): Promise<void> {
  // It is done, so that it is no fault where this is lost: only a duplicate that the queue shows would do it again.
  await context.ledger.followed(idsOf(task), lease).catch(() => {});
}
