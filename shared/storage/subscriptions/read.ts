import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Page, PageRequest } from '../../domain/row-page.ts';
import { isExpired } from '../../domain/subscriptions/confirmation-requests.ts';
import { type StoredSubscription, storedSubscription } from '../../domain/subscriptions/subscription.ts';
import { scanPage } from '../scan-page.ts';
import { getStored } from './rows.ts';

export const read = (client: DynamoDBClient, table: string) => ({
  /** Returns a subscription, or undefined if it does not exist at `now` (epoch milliseconds). */
  async get(uuid: string, now: number): Promise<StoredSubscription | undefined> {
    const stored = await getStored(client, table, uuid);
    return stored && isExpired(stored, now) ? undefined : stored;
  },
});

export const list = (client: DynamoDBClient, table: string) => ({
  /** Returns a page of the subscriptions at `now` (epoch milliseconds). A page may have fewer rows than requested. */
  async list(page: PageRequest, now: number): Promise<Page<StoredSubscription>> {
    const { values, cursor } = await scanPage(client, table, storedSubscription, page);
    return { values: values.filter((one) => !isExpired(one, now)), cursor };
  },
});
