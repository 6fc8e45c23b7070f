import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Page, PageRequest } from '../../domain/row-page.ts';
import { isGoneBy } from '../../domain/subscriptions/confirmation-requests.ts';
import { type StoredSubscription, storedSubscription } from '../../domain/subscriptions/subscription.ts';
import { scanPage } from '../scan-page.ts';

export const read = (client: DynamoDBClient, table: string) => ({
  /** A page of those that there are at `now` (epoch milliseconds); it may hold fewer than asked for. */
  async list(page: PageRequest, now: number): Promise<Page<StoredSubscription>> {
    const { values, cursor } = await scanPage(client, table, storedSubscription, page);
    return { values: values.filter((one) => !isGoneBy(one, now)), cursor };
  },
});
