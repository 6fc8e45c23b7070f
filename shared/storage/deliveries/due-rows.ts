import { type DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import type { Look } from '../../domain/deliveries/look.ts';
import { ownTaskPrefix, subscriptionOf } from '../../domain/deliveries/task-key.ts';
import { toItem } from '../dynamo.ts';
import { update } from '../update.ts';
import { fanOut } from './fan-out.ts';
import { openOwn } from './open-own.ts';
import { readPublication } from './read-publication.ts';
import { type DueRow, dueRow } from './row-schemas.ts';
import { dueShards, failedAt, foundBy, keyOf, type OnRowFault, readRows, timeKey } from './rows.ts';

function notedOf({ taskKey, messageId, resumes }: DueRow, now: number, look: Look) {
  if (look.is === 'stuck') {
    return { isStuck: true, ...failedAt(taskKey.startsWith(ownTaskPrefix) ? subscriptionOf(taskKey) : messageId, now) };
  }
  const sweepAt = timeKey(now + look.forMs);
  return look.is === 'sent'
    ? { sweepAt, isPutOff: false, resumes: resumes + 1 }
    : { sweepAt, isPutOff: look.isPutOff, leftOut: look.leftOut };
}

export const sweep = (client: DynamoDBClient, table: string) => ({
  ...openOwn(client, table),
  ...readPublication(client, table),
  ...fanOut(client, table),
  /**
   * The rows whose time has come and gone, those longest overdue first within each shard, a page at a time. One that
   * cannot be read stays due.
   */
  async *due(now: number, onFault: OnRowFault): AsyncGenerator<DueRow[]> {
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
      for await (const { Items = [] } of pages) yield readRows(dueRow, Items, onFault);
    }
  },

  /**
   * Takes a due row as the look at it says, and notes that: it is looked at again later, or rests as stuck, where
   * redelivery finds it. False when another sweeper has taken it, or the row moved on.
   */
  async take(row: DueRow, now: number, look: Look): Promise<boolean> {
    const taken = await update(client, table, keyOf(row), {
      set: notedOf(row, now, look),
      remove: look.is === 'sent' ? ['leftOut'] : [],
      condition: '#sweepAt = :seen AND #sweepShard = :shard',
      names: ['sweepShard', 'sweepAt'],
      values: { seen: row.sweepAt, shard: row.sweepShard },
    });
    return taken.isDone;
  },

  /** Takes a row out of the sweep: what it waited for is over. */
  async end(row: DueRow): Promise<void> {
    await update(client, table, keyOf(row), {
      set: { state: 'dropped' },
      remove: foundBy,
      condition: '#sweepShard = :due',
      values: { due: row.sweepShard },
    });
  },
});
