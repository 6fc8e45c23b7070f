import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { InternalError } from '../../domain/internal-errors.ts';
import { shardKey } from '../../domain/journal/journal-keys.ts';
import { journalRow } from '../../domain/journal/journal-row.ts';
import { type DynamoTable, fromItem, type Item, queryPages, toItem } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';

export const exportedRow = z.extend(journalRow, { moment: z.string() });
export type ExportedRow = z.infer<typeof exportedRow>;

/** Parses the rows of a page. Reports unreadable rows and continues. */
function pageOf(items: readonly Item[], onError: (error: unknown) => void) {
  const rows: ExportedRow[] = [];
  const unreadable: { moment: string; unreadable: Item }[] = [];
  for (const item of items) {
    try {
      rows.push(fromItem(exportedRow, item));
    } catch (error) {
      const moment = item.moment?.S ?? '';
      unreadable.push({ moment, unreadable: item });
      onError(new InternalError('unreadableEntry', { moment }, error));
    }
  }
  return { rows, unreadable };
}

const read = (table: DynamoTable) => ({
  /**
   * Reads the rows of an hour (`2026-11-22T05`, UTC) in one shard, in pages of up to 1 MB.
   * @param onError called for each unreadable row
   */
  async *ofShard(hour: string, shard: number, onError: (error: unknown) => void) {
    const input = {
      KeyConditionExpression: 'dayShard = :shard AND begins_with(moment, :hour)',
      ExpressionAttributeValues: toItem({ ':shard': shardKey(hour.slice(0, 10), shard), ':hour': `${hour}:` }),
      ConsistentRead: true,
    };
    for await (const items of queryPages(table, input)) yield pageOf(items, onError);
  },

  /** Returns the earliest possible time of a journal row in epoch milliseconds; 0 if the table was restored. */
  async earliest(): Promise<number> {
    const { Table } = await table.client.send(new DescribeTableCommand({ TableName: table.TableName }));
    return Table?.RestoreSummary === undefined ? (Table?.CreationDateTime?.getTime() ?? 0) : 0;
  },
});

/**
 * The journal by hour. Exports have a separate store, because the journal store is in the bundle of every operation on
 * persons.
 */
export const journalHours = tableStore('journalHours', { read });
