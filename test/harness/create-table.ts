import { CreateTableCommand, type GlobalSecondaryIndex, type KeySchemaElement } from '@aws-sdk/client-dynamodb';
import { type Table, type TableName, tables } from '../../shared/contract/tables.ts';

const keys = (partition: string, sort?: string): KeySchemaElement[] => [
  { AttributeName: partition, KeyType: 'HASH' },
  ...(sort === undefined ? [] : [{ AttributeName: sort, KeyType: 'RANGE' as const }]),
];

const indexesOf = (table: Table): GlobalSecondaryIndex[] =>
  Object.entries(table.indexes ?? {}).map(([IndexName, { partition, sort, includes }]) => ({
    IndexName,
    KeySchema: keys(partition, sort),
    Projection:
      includes === undefined
        ? { ProjectionType: 'KEYS_ONLY' }
        : { ProjectionType: 'INCLUDE', NonKeyAttributes: [...includes] },
  }));

/** Returns a request that creates a table with the keys, indexes and projections from the contract. */
export function creationOf(name: TableName, TableName: string): CreateTableCommand {
  const table: Table = tables[name];
  const indexes = indexesOf(table);
  const schemas = [keys(table.partition, table.sort), ...indexes.map(({ KeySchema = [] }) => KeySchema)];
  const attributes = new Set(schemas.flat().map(({ AttributeName }) => AttributeName));
  return new CreateTableCommand({
    TableName,
    KeySchema: keys(table.partition, table.sort),
    AttributeDefinitions: [...attributes].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    BillingMode: 'PAY_PER_REQUEST',
    ...(indexes.length === 0 ? {} : { GlobalSecondaryIndexes: indexes }),
  });
}
