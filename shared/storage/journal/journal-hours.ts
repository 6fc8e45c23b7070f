import { DescribeTableCommand, type DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import { defineStore } from '../../contract/define-store.ts';
import { dayShard } from '../../domain/journal/journal-keys.ts';
import { Fault } from '../../model/faults.ts';
import { fromItem, type Item, toItem } from '../dynamo.ts';
import { overTable } from '../table-store.ts';
import { type ExportedRow, exportedRow } from './row-schemas.ts';

/** A row as the table has it (DynamoDB JSON), which cannot be read otherwise. */
interface UnreadableRow {
  readonly moment: string;
  readonly unreadable: Item;
}

interface Page {
  readonly rows: readonly ExportedRow[];
  readonly unreadable: readonly UnreadableRow[];
}

/** Reads the rows of a page: one that cannot be read holds up none of the others. */
function pageOf(items: readonly Item[], onFault: (error: unknown) => void): Page {
  const [rows, unreadable]: [ExportedRow[], UnreadableRow[]] = [[], []];
  for (const item of items) {
    try {
      rows.push(fromItem(exportedRow, item));
    } catch (error) {
      const moment = item.moment?.S ?? '';
      unreadable.push({ moment, unreadable: item });
      onFault(new Fault('unreadableEntry', { moment }, error));
    }
  }
  return { rows, unreadable };
}

const read = (client: DynamoDBClient, table: string) => ({
  /**
   * The rows of a shard of an hour (`2026-11-22T05`, UTC): a page of up to 1 MB after the other.
   * @param onFault hears of each row that cannot be read
   */
  async *ofShard(hour: string, shard: number, onFault: (error: unknown) => void): AsyncGenerator<Page, void> {
    const asked = {
      TableName: table,
      KeyConditionExpression: 'dayShard = :shard AND begins_with(moment, :hour)',
      ExpressionAttributeValues: toItem({ ':shard': dayShard(hour.slice(0, 10), shard), ':hour': `${hour}:` }),
      ConsistentRead: true,
    };
    for await (const { Items = [] } of paginateQuery({ client }, asked)) yield pageOf(Items, onFault);
  },

  /** Since when there can be rows, epoch milliseconds: a table that was restored may have any. */
  async begun(): Promise<number> {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: table }));
    return Table?.RestoreSummary === undefined ? (Table?.CreationDateTime?.getTime() ?? 0) : 0;
  },
});

/** The journal by its hours; apart from the rest, which every operation about persons carries. */
export const journalHours = defineStore({ name: 'journalHours', ...overTable, permissions: { read } });
