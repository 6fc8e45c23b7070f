import { DeleteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Slot } from '../../domain/subscriptions/subscription.ts';
import { toItem, unlessConflict } from '../dynamo.ts';

export const free = (client: DynamoDBClient, table: string) => ({
  /** Gives a slot back, where it is still this holder's. */
  async free({ id, slot, holder }: Slot): Promise<void> {
    await unlessConflict(
      client.send(
        new DeleteItemCommand({
          TableName: table,
          Key: toItem({ id, slot }),
          ConditionExpression: 'holder = :holder',
          ExpressionAttributeValues: toItem({ ':holder': holder }),
        }),
      ),
    );
  },
});
