import type { DeliveryRecord } from '../../domain/deliveries/delivery.ts';
import { maxShardBits, rowShardCount } from '../../domain/deliveries/shards.ts';
import { protocolOf, publicationKey, singleTaskPrefix, subscriptionOf } from '../../domain/deliveries/task.ts';
import { type DynamoTable, fromItem, type Item, queryPages, toItem } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';
import { messageItems } from './find-deliveries.ts';
import { messageSummary, singleRow, taskRow } from './row-schemas.ts';
import { allRowShards, messageShard, type OnRowError, readRows } from './rows.ts';

/** A delivery to one subscription or, if `subscription` is missing, a batch without recorded outcomes. */
interface SubscriptionDelivery {
  readonly protocol: string;
  readonly subscription?: string;
  readonly task?: string;
  readonly record: DeliveryRecord;
}

/** Returns the deliveries that a row records. Subscriptions that a batch did not reach have separate rows. */
function deliveriesOfRow(item: Item): SubscriptionDelivery[] {
  const task = item.taskKey?.S ?? '';
  if (task === publicationKey) return [];
  try {
    if (task.startsWith(singleTaskPrefix)) {
      const own = fromItem(singleRow, item);
      return [{ protocol: own.protocol, subscription: subscriptionOf(task), record: { single: own } }];
    }
    const protocol = protocolOf(task);
    const { state, outcomes } = fromItem(taskRow, item);
    if (state === 'leased') return [{ protocol, task, record: {} }];
    return Object.entries(outcomes).flatMap(([subscription, batchOutcome]) =>
      batchOutcome.next === 'none' ? [{ protocol, subscription, record: { batchOutcome } }] : [],
    );
  } catch {
    // An unreadable row is included in the list without its contents.
    return [{ protocol: '', task, record: {} }];
  }
}

const read = (table: DynamoTable) => ({
  /**
   * Returns the `shardBits` of each message; undefined if they are unknown. Omits expired messages.
   * @param onError called for each unreadable row
   */
  async shardBitsOf(ids: readonly string[], onError: OnRowError): Promise<ReadonlyMap<string, number | undefined>> {
    const items = await messageItems(table, ids);
    const readable = readRows(messageSummary, items, onError);
    const shardBits = new Map(readable.map((message) => [message.messageId, message.shardBits]));
    return new Map(items.map(({ messageId }) => messageId?.S ?? '').map((id) => [id, shardBits.get(id)]));
  },

  /** Returns all deliveries of a message, in pages of up to 1 MB. */
  async *listByMessage(
    messageId: string,
    shardBits: number = maxShardBits,
  ): AsyncGenerator<SubscriptionDelivery[], void> {
    for (const rowShard of allRowShards.slice(0, rowShardCount(shardBits))) {
      const asked = {
        KeyConditionExpression: 'messageShard = :rowShard',
        ExpressionAttributeValues: toItem({ ':rowShard': messageShard({ messageId, rowShard }) }),
      };
      for await (const items of queryPages(table, asked)) yield items.flatMap(deliveriesOfRow);
    }
  },
});

/** Lists the deliveries of a message. Delivery functions do not load this separate store. */
export const messageDeliveries = tableStore('messageDeliveries', { read });
