import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type StoredSubscription, storedSubscription } from '../../model/subscriptions/subscription.ts';
import { type Page, type PageRequest, scanPage } from '../scan-page.ts';

export const read = (client: DynamoDBClient, table: string) => ({
  list: (page: PageRequest): Promise<Page<StoredSubscription>> => scanPage(client, table, storedSubscription, page),
});
