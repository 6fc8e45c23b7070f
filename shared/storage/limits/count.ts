import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { toItem, unlessConflict } from '../dynamo.ts';

const hourMs = 3_600_000;

export const count = (client: DynamoDBClient, table: string) => ({
  /**
   * Counts one more in the clock hour of `now` (epoch milliseconds).
   * @returns when the next hour begins, where there are `most` in this one already
   */
  async countInHour(id: string, most: number, now: number): Promise<{ readonly freeAt: number } | undefined> {
    const hour = Math.floor(now / hourMs);
    const freeAt = (hour + 1) * hourMs;
    const counted = await unlessConflict(
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: toItem({ id, slot: String(hour) }),
          UpdateExpression: 'SET expiresAt = :expiresAt ADD #count :one',
          ConditionExpression: 'attribute_not_exists(#count) OR #count < :most',
          ExpressionAttributeNames: { '#count': 'count' },
          ExpressionAttributeValues: toItem({ ':one': 1, ':most': most, ':expiresAt': freeAt / 1000 }),
        }),
      ),
    );
    return counted.isDone ? undefined : { freeAt };
  },
});
