import { DeleteItemCommand, type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { defineStore } from '../../contract/capabilities.ts';
import { type StoredTopic, storedTopic } from '../../model/topics/topic.ts';
import { dynamo, fromItem, toItem, unlessConflict } from '../dynamo.ts';
import { type Page, type PageRequest, scanPage } from '../scan-page.ts';

const read = (client: DynamoDBClient, table: string) => ({
  /** The topic, or undefined; one read by key. */
  async get(uuid: string): Promise<StoredTopic | undefined> {
    // Consistent: a topic is published to in the moment after it was created.
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: { uuid: { S: uuid } }, ConsistentRead: true }),
    );
    return Item && fromItem(storedTopic, Item);
  },
  list: (page: PageRequest): Promise<Page<StoredTopic>> => scanPage(client, table, storedTopic, page),
});

const write = (client: DynamoDBClient, table: string) => ({
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
  /** Removes the topic; answers it, or undefined when there was none. */
  async remove(uuid: string): Promise<StoredTopic | undefined> {
    const { Attributes } = await client.send(
      new DeleteItemCommand({ TableName: table, Key: { uuid: { S: uuid } }, ReturnValues: 'ALL_OLD' }),
    );
    return Attributes && fromItem(storedTopic, Attributes);
  },
});

export const topics = defineStore({ name: 'topics', client: dynamo, permissions: { read, write } });
