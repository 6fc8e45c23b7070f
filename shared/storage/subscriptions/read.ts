import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Page, PageRequest } from '../../model/page.ts';
import { type StoredSubscription, storedSubscription } from '../../model/subscriptions/subscription.ts';
import { scanPage } from '../scan-page.ts';

export const read = (client: DynamoDBClient, table: string) => ({
  list: (page: PageRequest): Promise<Page<StoredSubscription>> => scanPage(client, table, storedSubscription, page),
});
