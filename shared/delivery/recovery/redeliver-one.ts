import { laneOf } from '../../domain/deliveries/channels.ts';
import { taskContent } from '../../domain/deliveries/message.ts';
import { rowShardOfSubscription, shardOf } from '../../domain/deliveries/shards.ts';
import { batchTaskKey, singleTask, singleTaskKey, subscriptionOf } from '../../domain/deliveries/task.ts';
import { deliveryExpiry } from '../../domain/deliveries/times.ts';
import type { Protocol, StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import type { StoredDelivery } from '../../storage/deliveries/find-deliveries.ts';
import type { SingleRowKey } from '../../storage/deliveries/redeliveries.ts';
import type { MessageRow } from '../../storage/deliveries/row-schemas.ts';
import { publicationOf } from '../publish.ts';
import type { SendsTo, Tools } from '../tools.ts';

export type RedeliverTools = Tools<'deliveries:redeliver' | SendsTo<'later'>, 'deliveryDays'>;

/**
 * Starts a single delivery again, with its full number of retries. `isForced`: redeliver even if the message was
 * delivered. Returns false if the delivery is pending or cannot be redelivered.
 */
export async function reopenAndSend(
  message: MessageRow,
  row: SingleRowKey & { readonly protocol: Protocol },
  tools: Omit<RedeliverTools, 'deliveries'> & { readonly deliveries: Pick<RedeliverTools['deliveries'], 'reopen'> },
  isForced = false,
): Promise<boolean> {
  const now = tools.now();
  const own = { ...row, publishedAt: message.timestamp };
  const isOpen = await tools.deliveries.reopen(own, now, deliveryExpiry(now, tools.settings.deliveryDays), isForced);
  if (isOpen) await sendSingle(message, row, row.attempt + 1, tools);
  return isOpen;
}

/** Sends the task for a single delivery, which is due at once. A failed probe stays parked. */
export async function sendSingle(
  message: MessageRow,
  { taskKey, protocol }: { readonly taskKey: string; readonly protocol: Protocol },
  attempt: number,
  { queues }: Pick<RedeliverTools, 'queues'>,
  isProbe?: true,
): Promise<void> {
  const uuid = subscriptionOf(taskKey);
  const content = taskContent(publicationOf(message).notification);
  const task = singleTask({ protocol, content, shardBits: message.shardBits ?? 0 }, uuid, attempt);
  await queues[laneOf(protocol, 'later')].send({ payload: { ...task, isProbe }, group: uuid });
}

/** The time after publication during which fan-out may still create tasks. */
const fanOutMs = 60_000;

/**
 * Redelivers a message to one subscription. `unready`: fan-out is not finished and may still deliver the message.
 * `isForced`: redeliver even if the message was delivered.
 */
export async function redeliverOne(
  message: MessageRow,
  { uuid, protocol }: Pick<StoredSubscription, 'uuid' | 'protocol'>,
  { single: own, batchOutcome: shared, batchState: shard }: StoredDelivery,
  tools: RedeliverTools,
  isForced = false,
): Promise<'sent' | 'pending' | 'delivered' | 'unready'> {
  if (own !== undefined) {
    if (own.state === 'delivered' && !isForced) return 'delivered';
    return (await reopenAndSend(message, own, tools, isForced)) ? 'sent' : 'pending';
  }
  if (shared !== undefined && shared.next !== 'none') return 'pending';
  if (shared !== undefined && !isForced) return 'delivered';
  const { messageId, shardBits } = message;
  if (shardBits === undefined) return 'unready';
  const now = tools.now();
  const times = { now, expiresAt: deliveryExpiry(now, tools.settings.deliveryDays) };
  const ids = {
    messageId,
    publishedAt: message.timestamp,
    rowShard: rowShardOfSubscription(uuid, shardBits),
    protocol,
    attempt: shared === undefined ? 0 : 1,
  };
  if (shard !== 'recorded') {
    if (now - Date.parse(message.timestamp) < fanOutMs) return 'unready';
    const taskKey = batchTaskKey(protocol, shardBits, shardOf(uuid, shardBits));
    if (!(await tools.deliveries.closeBatch({ ...ids, taskKey }, times))) return 'unready';
  }
  const task = { ...ids, taskKey: singleTaskKey(uuid) };
  if (!(await tools.deliveries.openRedelivery(task, shared, times))) return 'pending';
  await sendSingle(message, task, task.attempt, tools);
  return 'sent';
}
