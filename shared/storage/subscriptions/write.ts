import { DeleteItemCommand, type DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type StoredSubscription, storedSubscription } from '../../model/subscriptions/subscription.ts';
import { fromItem, unlessConflict } from '../dynamo.ts';
import { renewToken } from './renew-token.ts';
import { key, rowOf } from './rows.ts';

export const write = (client: DynamoDBClient, table: string) => ({
  /** Stores the subscription unless it is there in this generation of its topic; answers the one that was there. */
  async ensure(subscription: StoredSubscription): Promise<StoredSubscription | undefined> {
    const put = await unlessConflict(
      client.send(
        new PutItemCommand({
          TableName: table,
          Item: rowOf(subscription),
          ConditionExpression: 'attribute_not_exists(#uuid) OR generation <> :generation',
          ExpressionAttributeNames: { '#uuid': 'uuid' },
          ExpressionAttributeValues: { ':generation': { S: subscription.generation } },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
    if (put.isDone || put.stored === undefined) return undefined;
    const stored = fromItem(storedSubscription, put.stored);
    // Our own write, whose answer was lost, is not somebody else's.
    return stored.tokenHash === subscription.tokenHash ? undefined : stored;
  },
  ...renewToken(client, table),
  /** Activates the subscription whose token has this hash and is valid at `now`; undefined when there is none. */
  async confirm(uuid: string, tokenHash: string, now: number): Promise<StoredSubscription | undefined> {
    const update = await unlessConflict(
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: key(uuid),
          UpdateExpression:
            'SET isActive = :true, activeTopic = topicGeneration, ' +
            'activeSince = if_not_exists(activeSince, :now) REMOVE pausedReason, isFailing, failingSince',
          ConditionExpression: 'tokenHash = :hash AND tokenExpiresAt > :now',
          ExpressionAttributeValues: { ':true': { BOOL: true }, ':hash': { S: tokenHash }, ':now': { N: String(now) } },
          ReturnValues: 'ALL_NEW',
        }),
      ),
    );
    return update.isDone ? fromItem(storedSubscription, update.result.Attributes ?? {}) : undefined;
  },
  /** Removes the subscription; false when there was none. */
  async remove(uuid: string): Promise<boolean> {
    const { Attributes } = await client.send(
      new DeleteItemCommand({ TableName: table, Key: key(uuid), ReturnValues: 'ALL_OLD' }),
    );
    return Attributes !== undefined;
  },
});
