import { DeleteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type StoredTopic, storedTopic } from '../../model/topics/topic.ts';
import { fromItem } from '../dynamo.ts';

export const remove = (client: DynamoDBClient, table: string) => ({
  /** Removes the topic; answers it, or undefined when there was none. */
  async remove(uuid: string): Promise<StoredTopic | undefined> {
    const { Attributes } = await client.send(
      new DeleteItemCommand({ TableName: table, Key: { uuid: { S: uuid } }, ReturnValues: 'ALL_OLD' }),
    );
    return Attributes && fromItem(storedTopic, Attributes);
  },
});
