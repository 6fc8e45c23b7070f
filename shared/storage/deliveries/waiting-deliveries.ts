import { type DynamoDBClient, GetItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';
import { subscriptionOf } from '../../domain/deliveries/task-key.ts';
import { clockMs, graceMs } from '../../domain/deliveries/times.ts';
import { mostAtOnce } from '../../domain/deliveries/turn.ts';
import { fromItem, toItem } from '../dynamo.ts';
import { update } from '../update.ts';
import type { LedgerTask } from './lease.ts';
import { lookedNames, waitingRow } from './row-schemas.ts';
import { dueAt, rowKey } from './rows.ts';
import { waitingEvents } from './waiting-events.ts';

// What one look reads of the index at the most: whoever has more waiting than that, none of it soon, is not held back.
const mostRead = 500;
// One key bears the looks of all that wait for a receiver: mostly the first page shows whose turn it is.
const pageSize = 25;

export const turn = (client: DynamoDBClient, table: string) => ({
  /**
   * The events that are being tried at a subscription, or will be by `soon` (both epoch milliseconds); the oldest first, as far
   * as one look shows them. Whatever rests as stuck, or whose timer or worker was lost, holds back nobody.
   */
  async oldestWaiting(subscriptionUuid: string, now: number, soon: number): Promise<string[]> {
    const { values, ...events } = waitingEvents(table, subscriptionUuid);
    const pages = paginateQuery(
      { client, pageSize },
      {
        ...events,
        FilterExpression:
          `${events.FilterExpression} AND ` +
          '((#state = :claimed AND #leaseUntil >= :lost) OR (#state <> :claimed AND #notBefore BETWEEN :lost AND :soon))',
        ExpressionAttributeNames: {
          ...events.ExpressionAttributeNames,
          '#notBefore': 'notBefore',
          '#state': 'state',
          '#leaseUntil': 'leaseUntil',
        },
        ExpressionAttributeValues: toItem({ ...values, ':lost': now - graceMs, ':soon': soon, ':claimed': 'claimed' }),
      },
    );
    const oldest: string[] = [];
    let read = 0;
    for await (const { Items = [], ScannedCount = 0 } of pages) {
      oldest.push(...Items.flatMap(({ messageId }) => messageId?.S ?? []));
      read += ScannedCount;
      if (oldest.length >= mostAtOnce || read >= mostRead) break;
    }
    return oldest;
  },

  /** Where a task stands. `due`: it may be deferred; `waits`: it was; `claimed`: it is being worked on, or has moved on. */
  async standing(task: LedgerTask, now: number): Promise<'due' | 'waits' | 'claimed'> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: rowKey(task), ConsistentRead: true }),
    );
    const row = Item && fromItem(waitingRow, Item);
    if (row?.state !== 'waiting' || row.attempt >= task.attempt) return 'claimed';
    return (row.notBefore ?? 0) <= now + clockMs ? 'due' : 'waits';
  },

  /**
   * Lets a task that is due wait until `notBefore` (epoch milliseconds) without an attempt, and keeps its row until `expiresAt`
   * (epoch seconds). `waits`: it does already; `claimed`: it is being worked on, or has moved on.
   */
  async defer(
    task: LedgerTask,
    now: number,
    notBefore: number,
    expiresAt: number,
  ): Promise<'deferred' | 'waits' | 'claimed'> {
    const deferred = await update(client, table, rowKey(task), {
      set: { notBefore, expiresAt, ...dueAt(subscriptionOf(task.taskKey), notBefore + graceMs) },
      remove: lookedNames,
      condition:
        '#state = :waiting AND #attempt < :attempt AND (attribute_not_exists(#notBefore) OR #notBefore <= :latest)',
      names: ['state', 'attempt'],
      values: { waiting: 'waiting', attempt: task.attempt, latest: now + clockMs },
    });
    if (deferred.isDone) return 'deferred';
    const { state, attempt } = deferred.stored ?? {};
    return state?.S === 'waiting' && Number(attempt?.N) < task.attempt ? 'waits' : 'claimed';
  },
});
