import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { type StoredTopic, storedTopic } from '../../model/topics/topic.ts';
import { fromItem, toItem, unlessConflict } from '../dynamo.ts';

export const create = (client: DynamoDBClient, table: string) => ({
  /** Stores the topic unless it is there; answers the stored one. One conditional write. */
  async ensure(topic: StoredTopic): Promise<StoredTopic> {
    const put = await unlessConflict(
      client.send(
        new PutItemCommand({
          TableName: table,
          Item: toItem(topic),
          ConditionExpression: 'attribute_not_exists(#uuid)',
          ExpressionAttributeNames: { '#uuid': 'uuid' },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
    return put.isDone || put.stored === undefined ? topic : fromItem(storedTopic, put.stored);
  },
});
