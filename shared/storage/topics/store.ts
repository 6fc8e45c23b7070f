import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Page, PageRequest } from '../../domain/row-page.ts';
import { type StoredTopic, storedTopic } from '../../domain/topics/topic.ts';
import { type DynamoTable, fromItem, readRow, scanPage, toItem } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';
import { deleteIf } from '../writes.ts';

const read = (table: DynamoTable) => ({
  // The read is consistent, because clients may publish immediately after creating a topic.
  get: (uuid: string): Promise<StoredTopic | undefined> => readRow(storedTopic, table, { uuid: { S: uuid } }),
});

const list = (table: DynamoTable) => ({
  list: (page: PageRequest): Promise<Page<StoredTopic>> => scanPage(table, storedTopic, page),
});

const create = ({ client, TableName }: DynamoTable) => ({
  /** Creates the topic if it does not exist. If `title` is given, it replaces the title. Returns the stored topic. */
  async ensure({ uuid, name, generation, title }: StoredTopic): Promise<StoredTopic> {
    const { Attributes = {} } = await client.send(
      new UpdateItemCommand({
        TableName,
        Key: { uuid: { S: uuid } },
        UpdateExpression:
          'SET #name = if_not_exists(#name, :name), generation = if_not_exists(generation, :generation)' +
          (title === undefined ? '' : ', title = :title'),
        ExpressionAttributeNames: { '#name': 'name' },
        ExpressionAttributeValues: toItem({ ':name': name, ':generation': generation, ':title': title }),
        ReturnValues: 'ALL_NEW',
      }),
    );
    return fromItem(storedTopic, Attributes);
  },
});

const remove = (table: DynamoTable) => ({
  /** Deletes this generation of the topic. Returns false if the stored topic is missing or has another generation. */
  remove: ({ uuid, generation }: StoredTopic): Promise<boolean> =>
    deleteIf(table, { uuid: { S: uuid } }, { condition: '#generation = :generation', values: { generation } }),
});

export const topics = tableStore('topics', { read, list, create, remove });
