import { costOf } from '../../infra/docs/prices.ts';
import { itemSize } from '../simulation/dynamodb/item-size.ts';
import type { MemoryTable } from '../simulation/dynamodb/memory-table.ts';

// "Item sizes and formats" in the Amazon DynamoDB Developer Guide: charged beside each item, and each entry of an index.
const overheadBytes = 100;
export const daysOfMonth = 365 / 12;
export const hoursOfMonth = daysOfMonth * 24;

/** What a table has, in gigabytes for so many months: with its indexes, and without. */
export function gigabyteMonths(table: MemoryTable, days: number): { readonly all: number; readonly own: number } {
  let [bytes, indexed] = [0, 0];
  for (const item of table.items()) {
    bytes += itemSize(item) + overheadBytes;
    for (const index of table.indexes.values()) {
      const entry = index.entryOf(item);
      if (entry !== undefined) indexed += itemSize(entry) + overheadBytes;
    }
  }
  const monthsOf = (kept: number): number => (kept / 2 ** 30) * (days / daysOfMonth);
  return { all: monthsOf(bytes + indexed), own: monthsOf(bytes) };
}

/** What it costs, in dollars, to keep for so many days what a table has. */
export function keptFor(table: MemoryTable, days: number): number {
  const { all, own } = gigabyteMonths(table, days);
  return costOf('DynamoDB GB-months', all) + costOf('DynamoDB recovery GB-months', own);
}
