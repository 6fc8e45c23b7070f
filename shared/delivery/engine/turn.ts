import { ledgerExpiry } from '../../domain/deliveries/times.ts';
import { isItsTurn, turnWaitMs } from '../../domain/deliveries/turn.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import { keepForRetries } from './follow.ts';
import { idsOf } from './ids-of.ts';
import { waitingUntil } from './waiting.ts';

/**
 * Lets the task of a subscription that is failing wait while the oldest of its messages are tried: one failing receiver costs
 * little, however many messages wait for it. No attempt is counted. True when it waits now, or did already.
 */
export async function waitsForTurn(
  task: DeliveryTask,
  { uuid, failingSince }: StoredSubscription,
  context: DeliveryContext,
): Promise<boolean> {
  if (failingSince === undefined || task.content.type === 'SubscriptionConfirmation' || task.content.isTest)
    return false;
  const now = context.now();
  const waitMs = turnWaitMs(failingSince, now);
  const oldest = await context.ledger.oldestWaiting(uuid, now, now + waitMs);
  if (isItsTurn(task.content.messageId, oldest)) return false;
  // Not all of them in the same second.
  const notBefore = now + Math.round(waitMs * (1 + context.jitter() / 2));
  const standing = await context.ledger.standing(idsOf(task), now);
  if (standing !== 'due') return standing === 'waits';
  // First the timer: where we die after it, the task shown again sends another, and whichever comes second finds that it waits.
  await context.retry.sendMany([waitingUntil(notBefore, uuid, task, context)]);
  await keepForRetries(task, { next: 'retry', notBefore }, context);
  const expiresAt = ledgerExpiry(notBefore, context.ledgerDays);
  return (await context.ledger.defer(idsOf(task), now, notBefore, expiresAt)) !== 'claimed';
}
