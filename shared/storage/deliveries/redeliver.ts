import { type DynamoDBClient, paginateQuery, type QueryCommand } from '@aws-sdk/client-dynamodb';
import { ownTaskPrefix, subscriptionOf } from '../../domain/deliveries/task-key.ts';
import { graceMs } from '../../domain/deliveries/times.ts';
import { toItem } from '../dynamo.ts';
import { update } from '../update.ts';
import { readPublication } from './read-publication.ts';
import {
  allSlices,
  dueAt,
  failedShards,
  keyOf,
  messageSlice,
  type OnRowFault,
  readRows,
  type SingleRow,
  singleRow,
  timeKey,
} from './rows.ts';

export const redeliver = (client: DynamoDBClient, table: string) => ({
  ...readPublication(client, table),

  /** The failed rows of a message, of a subscription, or since a time (epoch milliseconds), a page at a time. */
  async *failed(
    choice: { messageId: string } | { subscription: string } | { since: number },
    onFault: OnRowFault,
  ): AsyncGenerator<SingleRow[]> {
    for (const query of queriesOf(choice)) {
      const pages = paginateQuery({ client }, { TableName: table, ...query });
      for await (const { Items = [] } of pages) {
        yield readRows(singleRow, Items, onFault).filter(({ state }) => state === 'failed');
      }
    }
  },

  /** Opens a failed row again: the policy counts from its next attempt. False when it is not failed any more. */
  async reopen(row: SingleRow, now: number, expiresAt: number): Promise<boolean> {
    const opened = await update(client, table, keyOf(row), {
      set: {
        state: 'waiting',
        base: row.attempt + 1,
        notBefore: now,
        expiresAt,
        ...dueAt(subscriptionOf(row.taskKey), now + graceMs),
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
    // Its row says how many slices it has, but may have expired before them.
    return allSlices.map((slice) => ({
      KeyConditionExpression: 'messageSlice = :slice AND begins_with(taskKey, :one)',
      ExpressionAttributeValues: toItem({
        ':slice': messageSlice({ messageId: choice.messageId, slice }),
        ':one': ownTaskPrefix,
      }),
    }));
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
