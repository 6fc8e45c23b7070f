import * as z from 'zod/mini';
import type { DeliveryRecord } from '../../domain/deliveries/delivery.ts';
import type { HistoryPosition } from '../../domain/deliveries/delivery-history.ts';
import { rowShardOfSubscription, shardOf } from '../../domain/deliveries/shards.ts';
import { batchTaskKey, singleTaskKey } from '../../domain/deliveries/task.ts';
import type { Protocol } from '../../domain/subscriptions/subscription.ts';
import { batchGet } from '../batches.ts';
import { type DynamoTable, fromItem, type Item, queryPages, toItem } from '../dynamo.ts';
import { type MessageSummary, messageSummary, type SingleRow, singleRow, taskRow } from './row-schemas.ts';
import { publicationRowKey, rowKey } from './rows.ts';

/** A time range in a topic's history (RFC 3339), including the start and the end of the range. */
interface Span {
  readonly generation: string;
  readonly from: string;
  readonly to: string;
  readonly order: 'newest first' | 'oldest first';
}

export const list = (table: DynamoTable) => ({
  ...find(table),

  /** Returns up to `limit` messages of a topic after a given position. The index may be slightly out of date. */
  async listMessages(
    { generation, from, to, order }: Span,
    limit: number,
    after?: HistoryPosition,
  ): Promise<HistoryPosition[]> {
    const start = after && {
      ...toItem({ generation, timestamp: after.timestamp }),
      ...publicationRowKey(after.messageId),
    };
    const query = {
      IndexName: 'byTopic',
      KeyConditionExpression: 'generation = :generation AND #timestamp BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#timestamp': 'timestamp' },
      ExpressionAttributeValues: toItem({ ':generation': generation, ':from': from, ':to': to }),
      ScanIndexForward: order === 'oldest first',
    };
    const items: Item[] = [];
    // DynamoDB may return short pages even before the last page.
    for await (const page of queryPages(table, query, { pageSize: limit, start })) {
      items.push(...page);
      if (items.length >= limit) break;
    }
    return items.slice(0, limit).map((item) => ({
      timestamp: item.timestamp?.S ?? '',
      messageId: item.messageShard?.S?.split('#')[0] ?? '',
    }));
  },
});

export interface StoredDelivery extends DeliveryRecord {
  readonly single?: SingleRow | undefined;
  /** The state is undefined if the batch has no row. */
  readonly batchState?: 'leased' | 'recorded' | undefined;
}

/** Builds a projection with placeholders, because the names of attributes may be reserved words. */
const projectionOf = (names: readonly string[]) => ({
  ProjectionExpression: names.map((name) => `#${name}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
});

const keyText = ({ messageShard: rowShard, taskKey }: Item): string => `${rowShard?.S} ${taskKey?.S}`;

export const messageItems = (table: DynamoTable, ids: readonly string[]): Promise<Item[]> =>
  batchGet(table, ids.map(publicationRowKey), projectionOf(Object.keys(messageSummary.shape)));

export const find = (table: DynamoTable) => ({
  /** Returns messages by id, without their bodies. Reads 100 messages per request. */
  async findMessages(ids: readonly string[]): Promise<ReadonlyMap<string, MessageSummary>> {
    const items = await messageItems(table, ids);
    return new Map(items.map((item) => fromItem(messageSummary, item)).map((message) => [message.messageId, message]));
  },

  /**
   * Returns one subscription's delivery rows for the given messages, by message id. Reads 50 messages per request. With
   * `mayBeOld`, reads cost half as much, but may return slightly outdated rows.
   */
  async findDeliveries(
    { uuid, protocol }: { readonly uuid: string; readonly protocol: Protocol },
    messages: readonly Pick<MessageSummary, 'messageId' | 'shardBits'>[],
    mayBeOld = false,
  ): Promise<ReadonlyMap<string, StoredDelivery>> {
    const keys = messages.flatMap(({ messageId, shardBits }) => {
      if (shardBits === undefined) return [];
      const of = { messageId, rowShard: rowShardOfSubscription(uuid, shardBits) };
      const shared = rowKey({ ...of, taskKey: batchTaskKey(protocol, shardBits, shardOf(uuid, shardBits)) });
      return [{ messageId, shared, own: rowKey({ ...of, taskKey: singleTaskKey(uuid) }) }];
    });
    const reading = projectionOf(Object.keys(singleRow.shape));
    const rowKeys = keys.flatMap(({ shared, own }) => [shared, own]);
    const items = await batchGet(table, rowKeys, {
      // A redelivery must not mistake a finished delivery for a pending one.
      ConsistentRead: !mayBeOld,
      ProjectionExpression: `${reading.ProjectionExpression}, outcomes.#uuid`,
      ExpressionAttributeNames: { ...reading.ExpressionAttributeNames, '#uuid': uuid },
    });
    const rows = new Map(items.map((item) => [keyText(item), item]));
    return new Map(
      keys.map(({ messageId, shared, own }) => {
        const [task, single] = [rows.get(keyText(shared)), rows.get(keyText(own))];
        const batch = task && fromItem(z.pick(taskRow, { state: true, outcomes: true }), task);
        const record = { batchState: batch?.state, batchOutcome: batch?.outcomes[uuid] };
        return [messageId, { ...record, single: single && fromItem(singleRow, single) }];
      }),
    );
  },
});
