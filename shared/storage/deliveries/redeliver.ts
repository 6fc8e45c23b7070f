import { type DynamoDBClient, paginateQuery, type QueryCommand } from '@aws-sdk/client-dynamodb';
import { ownTaskPrefix, publicationKey, subscriptionOf } from '../../domain/deliveries/task-key.ts';
import { graceMs } from '../../domain/deliveries/times.ts';
import { toItem } from '../dynamo.ts';
import { update } from '../update.ts';
import { openAgain } from './open-again.ts';
import { readPublication } from './read-publication.ts';
import {
  allSlices,
  dueAt,
  failedShards,
  keyOf,
  lookedNames,
  messageSlice,
  type OnRowFault,
  publicationRowKey,
  readRows,
  type SingleRow,
  singleRow,
  timeKey,
  waitingFor,
} from './rows.ts';

/** What names a subscription's own row as it was read. */
export type OwnRow = Pick<SingleRow, 'messageSlice' | 'taskKey' | 'messageId' | 'attempt'>;

export const redeliver = (client: DynamoDBClient, table: string) => ({
  ...readPublication(client, table),
  ...openAgain(client, table),

  /** The failed and stuck rows of a message, of a subscription, or since a time (epoch milliseconds), a page at a time. */
  async *failed(
    choice: { messageId: string } | { subscription: string } | { since: number },
    onFault: OnRowFault,
  ): AsyncGenerator<SingleRow[]> {
    for (const query of queriesOf(choice)) {
      const pages = paginateQuery({ client }, { TableName: table, ...query });
      for await (const { Items = [] } of pages) {
        const own = Items.filter(({ taskKey }) => taskKey?.S !== publicationKey);
        yield readRows(singleRow, own, onFault).filter(({ state, isStuck }) => state === 'failed' || isStuck);
      }
    }
  },

  /** The messages whose audits are stuck: this one, or those since a time (epoch milliseconds). A page at a time. */
  async *stuckMessages(choice: { messageId: string } | { since: number }): AsyncGenerator<string[]> {
    const queries = 'since' in choice ? queriesOf(choice) : [publicationQuery(choice.messageId)];
    for (const query of queries) {
      for await (const { Items = [] } of paginateQuery({ client }, { TableName: table, ...query })) {
        const stuck = Items.filter(({ taskKey, isStuck }) => taskKey?.S === publicationKey && isStuck?.BOOL);
        yield stuck.flatMap(({ messageId }) => messageId?.S ?? []);
      }
    }
  },

  /** Gives a message whose audits are stuck back to the sweeper, which audits it. False when it is not stuck any more. */
  async reaudit(messageId: string, now: number): Promise<boolean> {
    const opened = await update(client, table, publicationRowKey(messageId), {
      set: dueAt(messageId, now),
      remove: lookedNames,
      condition: '#isStuck = :stuck',
      values: { stuck: true },
    });
    return opened.isDone;
  },

  /**
   * Opens a failed or stuck row again, or one that was dropped or (`isAnew`) delivered: the policy counts from its next attempt.
   * False when it is none of these any more, or is being worked on.
   */
  async reopen(row: OwnRow, now: number, expiresAt: number, isAnew = false): Promise<boolean> {
    const opened = await update(client, table, keyOf(row), {
      set: {
        state: 'waiting',
        base: row.attempt + 1,
        notBefore: now,
        expiresAt,
        ...waitingFor(subscriptionOf(row.taskKey), row.messageId),
        ...dueAt(subscriptionOf(row.taskKey), now + graceMs),
      },
      remove: lookedNames,
      condition:
        `#attempt = :attempt AND (#state IN (:failed, :dropped${isAnew ? ', :delivered' : ''}) OR (#isStuck = :stuck AND ` +
        '(attribute_not_exists(#leaseUntil) OR #leaseUntil < :set_notBefore)))',
      names: ['attempt', 'leaseUntil'],
      values: {
        failed: 'failed',
        dropped: 'dropped',
        ...(isAnew && { delivered: 'delivered' }),
        attempt: row.attempt,
        stuck: true,
      },
    });
    return opened.isDone;
  },
});

const publicationQuery = (messageId: string): Query => ({
  KeyConditionExpression: 'messageSlice = :slice AND taskKey = :message',
  ExpressionAttributeValues: toItem({ ':slice': messageSlice({ messageId, slice: 0 }), ':message': publicationKey }),
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
