import { DeleteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type StoredSubscription, storedSubscription } from '../../domain/subscriptions/subscription.ts';
import { fromItem, unlessConflict } from '../dynamo.ts';
import { key } from './rows.ts';

export const leave = (client: DynamoDBClient, table: string) => ({
  /** Removes the subscription if it is of this generation of its topic; answers it, or undefined when there was none. */
  async removeOfGeneration(uuid: string, generation: string): Promise<StoredSubscription | undefined> {
    const removal = await unlessConflict(
      client.send(
        new DeleteItemCommand({
          TableName: table,
          Key: key(uuid),
          ConditionExpression: 'generation = :generation',
          ExpressionAttributeValues: { ':generation': { S: generation } },
          ReturnValues: 'ALL_OLD',
        }),
      ),
    );
    return removal.isDone ? fromItem(storedSubscription, removal.result.Attributes ?? {}) : undefined;
  },
});
