import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { JournalEntry } from '../../model/journal/journal-row.ts';
import { batchWrite } from '../batch-write.ts';
import { itemsOf } from './rows.ts';

export const writeMany = (client: DynamoDBClient, table: string) => ({
  /** Writes an entry of many rows, 25 in one write; again it changes nothing. */
  putMany: (entry: JournalEntry): Promise<void> => batchWrite(client, table, itemsOf(entry)),
});
