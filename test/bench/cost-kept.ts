import { costOf } from '../../infra/docs/prices.ts';
import { itemSize } from '../simulation/dynamodb/item-size.ts';
import type { MemoryTable } from '../simulation/dynamodb/memory-table.ts';

// DynamoDB bills this number of additional bytes for each item and each index entry (see "Item sizes and formats" in
// the Amazon DynamoDB Developer Guide).
const overheadBytes = 100;
export const daysOfMonth = 365 / 12;
export const hoursOfMonth = daysOfMonth * 24;

/** Returns the gigabyte-months for storing a table's data, with indexes (`all`) and without indexes (`own`). */
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

/** Returns the cost, in dollars, of storing a table's data for a number of days. */
export function keptFor(table: MemoryTable, days: number): number {
  const { all, own } = gigabyteMonths(table, days);
  return costOf('DynamoDB GB-months', all) + costOf('DynamoDB recovery GB-months', own);
}
