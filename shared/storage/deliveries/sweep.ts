import { type DynamoDBClient, GetItemCommand, paginateQuery, type QueryCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { protocols } from '../../model/subscriptions/subscription.ts';
import { fromItem, toItem } from '../dynamo.ts';
import { update } from '../update.ts';
import { opening } from './publication.ts';
import {
  dueAt,
  dueShards,
  failedShards,
  graceMs,
  type MessageRow,
  messageKey,
  messageRow,
  rowKey,
  type SingleRow,
  singleRow,
  timeKey,
} from './rows.ts';

/** What an index shows of a row: a single row, or the message's own. */
const indexRow = z.object({
  messageId: z.string(),
  taskKey: z.string(),
  sweepAt: z.string(),
  state: z.optional(z.enum(['waiting', 'claimed', 'delivered', 'failed', 'dropped'])),
  attempt: z._default(z.int(), 0),
  protocol: z.optional(z.enum(protocols)),
  isConfirmation: z._default(z.boolean(), false),
});
export type DueRow = z.infer<typeof indexRow>;

async function message(client: DynamoDBClient, table: string, messageId: string): Promise<MessageRow | undefined> {
  const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: messageKey(messageId) }));
  return Item && fromItem(messageRow, Item);
}

export const sweep = (client: DynamoDBClient, table: string) => ({
  ...opening(client, table),
  /** The rows whose time has come and gone, those longest overdue first within each shard, a page at a time. */
  async *due(now: number): AsyncGenerator<DueRow[]> {
    // Another shard first each minute, so that none waits behind a full one for ever.
    const first = Math.floor(now / 60_000) % dueShards.length;
    for (const shard of [...dueShards.slice(first), ...dueShards.slice(0, first)]) {
      const pages = paginateQuery(
        { client },
        {
          TableName: table,
          IndexName: 'bySweep',
          KeyConditionExpression: 'sweepShard = :shard AND sweepAt <= :now',
          ExpressionAttributeValues: toItem({ ':shard': shard, ':now': timeKey(now) }),
        },
      );
      for await (const { Items = [] } of pages) yield Items.map((item) => fromItem(indexRow, item));
    }
  },

  message: (messageId: string): Promise<MessageRow | undefined> => message(client, table, messageId),

  /** Takes a due row for `untilMs` from now; false when another sweeper has, or the row moved on. */
  async take(row: DueRow, now: number, untilMs: number): Promise<boolean> {
    const taken = await update(client, table, rowKey(row.messageId, row.taskKey), {
      set: dueAt(row.messageId, now + untilMs),
      condition: '#sweepAt = :seen AND #sweepShard = :set_sweepShard',
      values: { seen: row.sweepAt },
    });
    return taken.isDone;
  },

  /** Takes a row out of the sweep: what it waited for is over. */
  async end(row: DueRow): Promise<void> {
    await update(client, table, rowKey(row.messageId, row.taskKey), {
      set: { state: 'dropped' },
      remove: ['sweepShard', 'sweepAt', 'owner'],
      condition: '#sweepShard = :due',
      values: { due: dueAt(row.messageId, 0).sweepShard },
    });
  },
});

export const redeliver = (client: DynamoDBClient, table: string) => ({
  message: (messageId: string): Promise<MessageRow | undefined> => message(client, table, messageId),

  /** The failed rows of a message, of a subscription, or since a time (epoch milliseconds), a page at a time. */
  async *failed(
    choice: { messageId: string } | { subscription: string } | { since: number },
  ): AsyncGenerator<SingleRow[]> {
    for (const query of queriesOf(choice)) {
      const pages = paginateQuery({ client }, { TableName: table, ...query });
      for await (const { Items = [] } of pages) {
        const rows = Items.map((item) => fromItem(singleRow, { ...item, taskKey: item.taskKey ?? { S: '' } }));
        yield rows.filter(({ state }) => state === 'failed');
      }
    }
  },

  /** Opens a failed row again: the policy counts from its next attempt. False when it is not failed any more. */
  async reopen(row: SingleRow, now: number, expiresAt: number): Promise<boolean> {
    const opened = await update(client, table, rowKey(row.messageId, row.taskKey), {
      set: {
        state: 'waiting',
        base: row.attempt + 1,
        notBefore: now,
        expiresAt,
        ...dueAt(row.messageId, now + graceMs),
      },
      condition: '#state = :failed AND #attempt = :attempt',
      names: ['attempt'],
      values: { failed: 'failed', attempt: row.attempt },
    });
    return opened.isDone;
  },
});

type Query = Omit<ConstructorParameters<typeof QueryCommand>[0], 'TableName'>;

function queriesOf(choice: { messageId: string } | { subscription: string } | { since: number }): Query[] {
  if ('messageId' in choice) {
    const values = toItem({ ':messageId': choice.messageId, ':one': 'one#' });
    return [
      {
        KeyConditionExpression: 'messageId = :messageId AND begins_with(taskKey, :one)',
        ExpressionAttributeValues: values,
      },
    ];
  }
  if ('subscription' in choice) {
    const values = toItem({ ':owner': choice.subscription });
    return [
      {
        IndexName: 'bySubscription',
        KeyConditionExpression: '#owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: values,
      },
    ];
  }
  return failedShards.map((shard) => ({
    IndexName: 'bySweep',
    KeyConditionExpression: 'sweepShard = :shard AND sweepAt >= :since',
    ExpressionAttributeValues: toItem({ ':shard': shard, ':since': timeKey(choice.since) }),
  }));
}
