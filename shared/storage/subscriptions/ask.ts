import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { type StoredSubscription, storedSubscription } from '../../domain/subscriptions/subscription.ts';
import { fromItem, toItem, unlessConflict } from '../dynamo.ts';
import { confirmationFailed } from './confirmation-failed.ts';
import { addRequest } from './requests.ts';
import { rowOf } from './rows.ts';

export const ask = (client: DynamoDBClient, table: string) => ({
  /**
   * Stores the subscription unless it is there in this generation of its topic; answers the one that was there. A row that
   * was due to go by then is in nobody's way.
   */
  async ensure(subscription: StoredSubscription): Promise<StoredSubscription | undefined> {
    const put = await unlessConflict(
      client.send(
        new PutItemCommand({
          TableName: table,
          Item: rowOf(subscription),
          ConditionExpression: 'attribute_not_exists(#uuid) OR generation <> :generation OR expiresAt <= :now',
          ExpressionAttributeNames: { '#uuid': 'uuid' },
          ExpressionAttributeValues: toItem({
            ':generation': subscription.generation,
            ':now': Math.floor(subscription.createdAt / 1000),
          }),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
    if (put.isDone || put.stored === undefined) return undefined;
    const stored = fromItem(storedSubscription, put.stored);
    // Our own write, whose answer was lost, is not somebody else's.
    const isOurs = Object.keys(subscription.requests).every((hash) => hash in stored.requests);
    return isOurs ? undefined : stored;
  },
  ...addRequest(client, table),
  ...confirmationFailed(client, table),
});
