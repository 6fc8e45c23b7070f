import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { isGoneBy } from '../../domain/subscriptions/confirmation-requests.ts';
import { type StoredSubscription, storedSubscription } from '../../domain/subscriptions/subscription.ts';
import { fromItem } from '../dynamo.ts';
import { key } from './rows.ts';

export const show = (client: DynamoDBClient, table: string) => ({
  /** The subscription as it stands at `now` (epoch milliseconds), or undefined. */
  async get(uuid: string, now: number): Promise<StoredSubscription | undefined> {
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: key(uuid), ConsistentRead: true }));
    const stored = Item && fromItem(storedSubscription, Item);
    return stored && isGoneBy(stored, now) ? undefined : stored;
  },
});
