import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unlessConflict } from '../dynamo.ts';
import { key } from './rows.ts';

export const confirmationFailed = (client: DynamoDBClient, table: string) => ({
  /** Notes that the confirmation of the token with this hash was sent in vain or not at all: asked again, we send another. */
  async confirmationFailed(uuid: string, hash: string): Promise<void> {
    await unlessConflict(
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: key(uuid),
          UpdateExpression: 'SET requests.#hash.hasFailed = :true',
          ConditionExpression: 'attribute_exists(requests.#hash)',
          ExpressionAttributeNames: { '#hash': hash },
          ExpressionAttributeValues: { ':true': { BOOL: true } },
        }),
      ),
    );
  },
});
