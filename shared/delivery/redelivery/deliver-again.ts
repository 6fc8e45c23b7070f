import { type LaneQueue, laneOf } from '../../domain/deliveries/channels.ts';
import { bucketOf } from '../../domain/deliveries/plan-tasks.ts';
import { sliceOf } from '../../domain/deliveries/slice.ts';
import { bucketTaskKey, ownTaskKey, subscriptionOf } from '../../domain/deliveries/task-key.ts';
import { ledgerExpiry } from '../../domain/deliveries/times.ts';
import type { Protocol, StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { LoggedDelivery } from '../../storage/deliveries/known.ts';
import type { ledger } from '../../storage/deliveries/ledger.ts';
import type { OwnRow } from '../../storage/deliveries/reopen.ts';
import type { MessageRow } from '../../storage/deliveries/row-schemas.ts';
import type { Queue } from '../../storage/queues/store.ts';
import { resumedTask } from '../sweep/resume-task.ts';

/** What it takes to make a delivery again that has a row of its own. */
interface ReopenTools {
  readonly ledger: Pick<ReturnType<typeof ledger.permissions.again>, 'reopen'>;
  readonly queues: Readonly<Record<LaneQueue<'later'>, Pick<Queue<DeliveryTask>, 'send'>>>;
  readonly now: () => number;
  readonly settings: { readonly ledgerDays: number };
}

/** What it takes to make any delivery again. */
export interface AgainTools extends ReopenTools {
  readonly ledger: ReturnType<typeof ledger.permissions.again>;
}

/**
 * Makes an own task again from its row, with its whole policy before it; one that was delivered, where it is made anew. False when
 * it is on its way, or is not to be made again.
 */
export async function reopenAndSend(
  message: MessageRow,
  row: OwnRow & { readonly protocol: Protocol },
  tools: ReopenTools,
  isAnew = false,
): Promise<boolean> {
  const now = tools.now();
  const isOpen = await tools.ledger.reopen(row, now, ledgerExpiry(now, tools.settings.ledgerDays), isAnew);
  if (isOpen) await sendAlone(message, row, row.attempt + 1, tools);
  return isOpen;
}

async function sendAlone(
  message: MessageRow,
  row: { readonly taskKey: string; readonly protocol: Protocol },
  attempt: number,
  { queues }: ReopenTools,
): Promise<void> {
  const payload = resumedTask(message, row, attempt);
  await queues[laneOf(row.protocol, 'later')].send({ payload, group: subscriptionOf(row.taskKey) });
}

/** So long after its publication a message may be on its way into tasks that the ledger does not know yet. */
const fanOutMs = 60_000;

/**
 * Has a message delivered to one subscription by a task alone, by what the ledger knows of it. `unready`: it is being sent out, and
 * cannot be told yet whether it comes to the subscription by that. One that was delivered is left, unless it is made anew.
 */
export async function deliverAgain(
  message: MessageRow,
  { uuid, protocol }: Pick<StoredSubscription, 'uuid' | 'protocol'>,
  { own, shared, bucket }: LoggedDelivery,
  tools: AgainTools,
  isAnew = false,
): Promise<'sent' | 'onItsWay' | 'delivered' | 'unready'> {
  if (own !== undefined) {
    if (own.state === 'delivered' && !isAnew) return 'delivered';
    return (await reopenAndSend(message, own, tools, isAnew)) ? 'sent' : 'onItsWay';
  }
  if (shared !== undefined && shared.next !== 'none') return 'onItsWay';
  if (shared !== undefined && !isAnew) return 'delivered';
  const { messageId, bits } = message;
  if (bits === undefined) return 'unready';
  const now = tools.now();
  const times = { now, expiresAt: ledgerExpiry(now, tools.settings.ledgerDays) };
  const ids = { messageId, slice: sliceOf(uuid, bits), protocol, attempt: shared === undefined ? 0 : 1 };
  if (bucket !== 'recorded') {
    const isEarly = now - Date.parse(message.timestamp) < fanOutMs;
    if (bucket === 'claimed' || isEarly) return 'unready';
    const taskKey = bucketTaskKey(protocol, bits, bucketOf(uuid, bits));
    if (!(await tools.ledger.close({ ...ids, taskKey }, times))) return 'unready';
  }
  const task = { ...ids, taskKey: ownTaskKey(uuid) };
  if (!(await tools.ledger.openAlone(task, shared, times))) return 'onItsWay';
  await sendAlone(message, task, task.attempt, tools);
  return 'sent';
}
