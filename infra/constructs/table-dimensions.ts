import { tables as shapes, type Table, type TableName } from '../../shared/contract/tables.ts';
import type { Tables } from './tables.ts';

/**
 * The dimensions of what DynamoDB measures of a table and of each of its indexes, which throttle by themselves: the table's
 * own numbers hold none of theirs ("DynamoDB Metrics and dimensions" in the Amazon DynamoDB Developer Guide).
 * @returns by what they are called: the table, `<table> <index>`
 */
export function tableDimensions(tables: Tables, name: TableName): ReadonlyMap<string, Record<string, string>> {
  const TableName = tables.byName[name].tableName;
  const { indexes = {} }: Table = shapes[name];
  return new Map([
    [name, { TableName }],
    ...Object.keys(indexes).map((index): [string, Record<string, string>] => [
      `${name} ${index}`,
      { TableName, GlobalSecondaryIndexName: index },
    ]),
  ]);
}
