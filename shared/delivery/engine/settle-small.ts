import { type ActiveSubscription, uuidRange, wholeTopic } from '../../domain/deliveries/plan-tasks.ts';
import { slicesOf } from '../../domain/deliveries/slice.ts';
import { isGivenUp, timeOfInvocation, withinInvocation } from '../../lambda/time-left.ts';
import type { ledger } from '../../storage/deliveries/ledger.ts';
import type { DueRow } from '../../storage/deliveries/row-schemas.ts';
import type { OnRowFault } from '../../storage/deliveries/rows.ts';
import type { FanOutTools } from './fan-out-tools.ts';
import { dueToHave, openTasks } from './open-tasks.ts';

// The sweeper has the messages of all topics to look at: what takes longer is audited side by side, by fan-out.
const mostSubscriptions = 100;
// One topic whose rows are asked for too often holds up no other: what DynamoDB throttles is not waited for any longer.
const patienceMs = 2000;

/** What it takes to see who has nothing of a message. */
export type SettleTools = Pick<FanOutTools, 'subscriptions' | 'now'> & {
  readonly ledger: Pick<ReturnType<typeof ledger.permissions.sweep>, 'message' | 'tasks' | 'settle'>;
  /** Hears of a row that failed, but for want of time. */
  readonly onFault: OnRowFault;
};

/**
 * Settles a message whose audit finds nothing missing, here and now: for a topic of few subscriptions that takes three reads and
 * a write. False where it has more, where anything is open or not known, or where that cannot be seen, at once or at all: then its
 * audit goes through the queue, by which it is known how often it was in vain.
 */
export async function settleSmall(row: DueRow, tools: SettleTools): Promise<boolean> {
  const leftMs = timeOfInvocation();
  const until = tools.now() + patienceMs;
  return withinInvocation(
    () => Math.min(leftMs(), until - tools.now()),
    () => settle(row, tools),
  ).catch((error: unknown) => {
    if (!isGivenUp(error)) tools.onFault(error, row);
    return false;
  });
}

async function settle({ messageId }: DueRow, tools: SettleTools): Promise<boolean> {
  const message = await tools.ledger.message(messageId);
  if (message?.bits === undefined || slicesOf(message.bits) > 1) return false;
  const active: ActiveSubscription[] = [];
  // A page may be short, whatever was asked for, and have another after it.
  for await (const page of tools.subscriptions.active(message, uuidRange(wholeTopic(0)), mostSubscriptions)) {
    active.push(...page);
    if (active.length >= mostSubscriptions) return false;
  }
  const { missing, workedOn } = await openTasks(messageId, message.bits, dueToHave(message, active), tools);
  if (missing.length + workedOn > 0) return false;
  await tools.ledger.settle(messageId);
  return true;
}
