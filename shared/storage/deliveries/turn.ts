import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { subscriptionOf } from '../../domain/deliveries/task-key.ts';
import { clockMs, graceMs } from '../../domain/deliveries/times.ts';
import { toItem } from '../dynamo.ts';
import { update } from '../update.ts';
import type { LedgerTask } from './lease.ts';
import { dueAt, rowKey, waitingPrefix } from './rows.ts';

// What one look reads of the index at the most: whoever has more waiting than that, none of it soon, is not held back.
const mostRead = 500;

export const turn = (client: DynamoDBClient, table: string) => ({
  /**
   * The messages that are being tried at a subscription, or will be by `soon` (epoch milliseconds); the oldest first, as far
   * as one look shows them.
   */
  async oldestWaiting(subscriptionUuid: string, soon: number): Promise<string[]> {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: 'bySubscription',
        KeyConditionExpression: '#owner = :owner AND begins_with(#standing, :waiting)',
        FilterExpression: '#notBefore <= :soon OR #state = :claimed',
        ExpressionAttributeNames: {
          '#owner': 'owner',
          '#standing': 'standing',
          '#notBefore': 'notBefore',
          '#state': 'state',
        },
        ExpressionAttributeValues: toItem({
          ':owner': subscriptionUuid,
          ':waiting': waitingPrefix,
          ':soon': soon,
          ':claimed': 'claimed',
        }),
        Limit: mostRead,
      }),
    );
    return Items.flatMap(({ messageId }) => messageId?.S ?? []);
  },

  /**
   * Lets a task that is due wait until `notBefore` (epoch milliseconds) without an attempt. `waits`: it does already;
   * `claimed`: it is being worked on, or has moved on.
   */
  async defer(task: LedgerTask, now: number, notBefore: number): Promise<'deferred' | 'waits' | 'claimed'> {
    const deferred = await update(client, table, rowKey(task), {
      set: { notBefore, ...dueAt(subscriptionOf(task.taskKey), notBefore + graceMs) },
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
