import { type DynamoDBClient, paginateQuery, type QueryCommand } from '@aws-sdk/client-dynamodb';
import { ownTaskPrefix, publicationKey } from '../../domain/deliveries/task-key.ts';
import { toItem } from '../dynamo.ts';
import { update } from '../update.ts';
import { readPublication } from './read-publication.ts';
import { reopen } from './reopen.ts';
import { lookedNames, type SingleRow, singleRow } from './row-schemas.ts';
import {
  allSlices,
  dueAt,
  failedShards,
  messageSlice,
  type OnRowFault,
  publicationRowKey,
  readRows,
  timeKey,
} from './rows.ts';

export const redeliver = (client: DynamoDBClient, table: string) => ({
  ...readPublication(client, table),
  ...reopen(client, table),

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
