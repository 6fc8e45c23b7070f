import { paginateScan, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeAll } from 'vitest';
import { tables as contract, type Table, type TableName } from '../../shared/contract/tables.ts';
import { type Item, toItem } from '../../shared/storage/dynamo.ts';
import { useDynamodb } from './embedded.ts';
import { writeRequests } from './write-requests.ts';

type Row = Readonly<Record<string, unknown>>;
type Filter = Omit<ScanCommandInput, 'TableName'>;

const keyOf = (name: TableName, item: Item): Item => {
  const { partition, sort }: Table = contract[name];
  return Object.fromEntries(Object.entries(item).filter(([attribute]) => [partition, sort].includes(attribute)));
};

/** Creates the given tables of the contract in the DynamoDB of the test file. */
export function useTables(names: readonly TableName[]) {
  const dynamodb = useDynamodb();
  /** The physical table names. */
  const tables = {} as Record<TableName, string>;
  beforeAll(async () => {
    for (const name of names) tables[name] = await dynamodb.createTable(name);
  });

  const scan = async (name: TableName, filter: Filter = {}): Promise<Item[]> => {
    const request = { TableName: tables[name], ConsistentRead: true, ...filter };
    const pages = await Array.fromAsync(paginateScan({ client: dynamodb.client }, request));
    return pages.flatMap(({ Items = [] }) => Items);
  };

  const send = (name: TableName, requests: Parameters<typeof writeRequests>[2]): Promise<void> =>
    writeRequests(dynamodb.client, tables[name], requests);
  const put = (name: TableName, ...items: readonly Item[]): Promise<void> =>
    send(
      name,
      items.map((Item) => ({ PutRequest: { Item } })),
    );

  return {
    dynamodb,
    tables,
    rows: async (name: TableName, filter?: Filter): Promise<Row[]> =>
      (await scan(name, filter)).map((item) => unmarshall(item)),
    put,
    /** Writes rows without validation. */
    write: (name: TableName, ...rows: readonly object[]): Promise<void> => put(name, ...rows.map(toItem)),
    /** Deletes a row by its key, as the TTL feature of DynamoDB does. */
    remove: (name: TableName, key: object): Promise<void> => send(name, [{ DeleteRequest: { Key: toItem(key) } }]),
    /** Deletes every row in a table. */
    empty: async (name: TableName): Promise<void> =>
      send(
        name,
        (await scan(name)).map((item) => ({ DeleteRequest: { Key: keyOf(name, item) } })),
      ),
  };
}
