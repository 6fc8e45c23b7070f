import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Page, PageRequest } from '../../domain/row-page.ts';
import { type StoredTopic, storedTopic } from '../../model/topics/topic.ts';
import { scanPage } from '../scan-page.ts';

export const list = (client: DynamoDBClient, table: string) => ({
  list: (page: PageRequest): Promise<Page<StoredTopic>> => scanPage(client, table, storedTopic, page),
});
