import { type DynamoDBClient, GetItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';
import { maxActiveMessages } from '../../domain/deliveries/retry.ts';
import { subscriptionOf } from '../../domain/deliveries/task.ts';
import { clockMs, graceMs } from '../../domain/deliveries/times.ts';
import { fromItem, toItem } from '../dynamo.ts';
import { update } from '../update.ts';
import { sweepStateNames, waitingRow } from './row-schemas.ts';
import { dueAt, rowKey, type TaskId, waitingPrefix } from './rows.ts';

/**
 * Returns the query for a subscription's pending events, oldest first. Excludes stuck rows and confirmation requests,
 * because any client can request confirmations. Read page by page, because DynamoDB applies `Limit` before the filter.
 */
export const waitingEvents = (table: string, subscriptionUuid: string) => ({
  TableName: table,
  IndexName: 'bySubscription',
  KeyConditionExpression: '#owner = :owner AND begins_with(#statusKey, :waiting)',
  FilterExpression:
    'attribute_not_exists(#isStuck) AND (attribute_not_exists(#isConfirmation) OR #isConfirmation = :no)',
  ExpressionAttributeNames: {
    '#owner': 'owner',
    '#statusKey': 'statusKey',
    '#isStuck': 'isStuck',
    '#isConfirmation': 'isConfirmation',
  },
  values: { ':owner': subscriptionUuid, ':waiting': waitingPrefix, ':no': false },
});

// The maximum number of rows to read. If these rows contain too few pending messages, no message has to wait for its turn.
const mostRead = 500;
// Pages are small, because all waiting tasks of a receiver read the same key and rarely need a second page.
const pageSize = 25;

export const waitForTurn = (client: DynamoDBClient, table: string) => ({
  /**
   * Returns the messages that are attempted now or before `soon` (both in epoch milliseconds), oldest first. Ignores
   * stuck rows and lost timers, which must not hold back messages.
   */
  async listOldestWaiting(subscriptionUuid: string, now: number, soon: number): Promise<string[]> {
    const { values, ...events } = waitingEvents(table, subscriptionUuid);
    const pages = paginateQuery(
      { client, pageSize },
      {
        ...events,
        FilterExpression:
          `${events.FilterExpression} AND ` +
          '((#state = :leased AND #leaseUntil >= :lost) OR (#state <> :leased AND #notBefore BETWEEN :lost AND :soon))',
        ExpressionAttributeNames: {
          ...events.ExpressionAttributeNames,
          '#notBefore': 'notBefore',
          '#state': 'state',
          '#leaseUntil': 'leaseUntil',
        },
        ExpressionAttributeValues: toItem({ ...values, ':lost': now - graceMs, ':soon': soon, ':leased': 'leased' }),
      },
    );
    const oldest: string[] = [];
    let read = 0;
    for await (const { Items = [], ScannedCount = 0 } of pages) {
      oldest.push(...Items.flatMap(({ messageId }) => messageId?.S ?? []));
      read += ScannedCount;
      if (oldest.length >= maxActiveMessages || read >= mostRead) break;
    }
    return oldest;
  },

  /** Returns `due` if the task may be deferred, `waits` if it is already deferred, or `leased` if it is in progress or has changed. */
  async waitStateOf(task: TaskId, now: number): Promise<'due' | 'waits' | 'leased'> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: rowKey(task), ConsistentRead: true }),
    );
    const row = Item && fromItem(waitingRow, Item);
    if (row?.state !== 'waiting' || row.attempt >= task.attempt) return 'leased';
    return (row.notBefore ?? 0) <= now + clockMs ? 'due' : 'waits';
  },

  /**
   * Defers a due task until `notBefore` (epoch milliseconds) without an attempt. The task's row is kept until
   * `expiresAt` (epoch seconds).
   */
  async defer(
    task: TaskId,
    now: number,
    notBefore: number,
    expiresAt: number,
  ): Promise<'deferred' | 'waits' | 'leased'> {
    const deferred = await update(client, table, rowKey(task), {
      set: { notBefore, expiresAt, ...dueAt(subscriptionOf(task.taskKey), notBefore + graceMs) },
      remove: sweepStateNames,
      condition:
        '#state = :waiting AND #attempt < :attempt AND (attribute_not_exists(#notBefore) OR #notBefore <= :latest)',
      names: ['state', 'attempt'],
      values: { waiting: 'waiting', attempt: task.attempt, latest: now + clockMs },
    });
    if (deferred.isDone) return 'deferred';
    const { state, attempt } = deferred.stored ?? {};
    return state?.S === 'waiting' && Number(attempt?.N) < task.attempt ? 'waits' : 'leased';
  },
});
