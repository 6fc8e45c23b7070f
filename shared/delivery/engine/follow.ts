import { dayMs } from '../../domain/day-ms.ts';
import { nextHop } from '../../domain/deliveries/hop.ts';
import { ownTask } from '../../domain/deliveries/own-task.ts';
import { ledgerExpiry } from '../../domain/deliveries/times.ts';
import type { LedgerOutcome } from '../../model/deliveries/outcome.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { StoredSubscription } from '../../model/subscriptions/subscription.ts';
import type { Outcomes } from '../../storage/deliveries/outcomes.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { noteHealth } from './note-health.ts';

/** Sends the retries of these outcomes to wait, and what was split off to its lane. Sent twice they do no harm. */
async function sendFollowing(task: DeliveryTask, outcomes: Outcomes, context: DeliveryContext): Promise<void> {
  const following = Object.entries(outcomes).filter(([, { next }]) => next === 'retry');
  const split = following.filter(([, outcome]) => outcome.class === 'split');
  const retries = following.filter(([, outcome]) => outcome.class !== 'split');
  if (split.length > 0) {
    await context.laterLane.sendMany(split.map(([uuid]) => ({ group: uuid, payload: ownTask(task, uuid, 0) })));
  }
  const waiting = retries.map(([uuid, { notBefore = 0 }]) => {
    const hop = nextHop(notBefore, context.now(), context.hopSeconds);
    const payload = { notBefore, task: ownTask(task, uuid, task.attempt + 1) };
    return { group: uuid, payload, delaySeconds: hop.isDue ? 0 : hop.delaySeconds };
  });
  if (waiting.length > 0) await context.retry.sendMany(waiting);
}

/** Keeps the message as long as its retries last, which may be longer than the ledger otherwise keeps it. */
async function keepForRetries(
  { content }: DeliveryTask,
  outcome: LedgerOutcome,
  context: DeliveryContext,
): Promise<void> {
  const { next, notBefore = 0 } = outcome;
  const isLong = notBefore - Date.parse(content.timestamp) > (context.ledgerDays * dayMs) / 2;
  if (next !== 'retry' || !isLong) return;
  await context.ledger.keepMessage(content.messageId, ledgerExpiry(notBefore, context.ledgerDays));
}

/** Everything that follows from outcomes once they are recorded; done again after a crash it does no harm. */
export async function follow(
  task: DeliveryTask,
  subscriptions: readonly StoredSubscription[],
  outcomes: Outcomes,
  context: DeliveryContext,
): Promise<void> {
  await sendFollowing(task, outcomes, context);
  for (const outcome of Object.values(outcomes)) await keepForRetries(task, outcome, context);
  await noteHealth(task, subscriptions, outcomes, context);
}
