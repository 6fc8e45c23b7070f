import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { type StoredTopic, storedTopic } from '../../model/topics/topic.ts';
import { fromItem } from '../dynamo.ts';

export const read = (client: DynamoDBClient, table: string) => ({
  /** The topic, or undefined; one read by key. */
  async get(uuid: string): Promise<StoredTopic | undefined> {
    // Consistent: a topic is published to in the moment after it was created.
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: { uuid: { S: uuid } }, ConsistentRead: true }),
    );
    return Item && fromItem(storedTopic, Item);
  },
});
