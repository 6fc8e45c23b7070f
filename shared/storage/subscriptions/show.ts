import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { type StoredSubscription, storedSubscription } from '../../model/subscriptions/subscription.ts';
import { fromItem } from '../dynamo.ts';
import { key } from './rows.ts';

export const show = (client: DynamoDBClient, table: string) => ({
  /** The subscription as it stands, or undefined. */
  async get(uuid: string): Promise<StoredSubscription | undefined> {
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: key(uuid), ConsistentRead: true }));
    return Item && fromItem(storedSubscription, Item);
  },
});
