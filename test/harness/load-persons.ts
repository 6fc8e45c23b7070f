import { BatchWriteItemCommand, type DynamoDBClient, type WriteRequest } from '@aws-sdk/client-dynamodb';
import type { Citizen } from '../../infra/local/demo/population/population.ts';
import { personRow } from '../../shared/storage/persons/rows.ts';

const lanes = 4;
const most = 25;

/**
 * Writes persons into a table in concurrent batches of 25, in the form that the UIN endpoint uses, without holding all
 * persons in memory.
 */
export async function loadPersons(client: DynamoDBClient, table: string, people: Iterable<Citizen>): Promise<void> {
  const source = Iterator.from(people);
  const lane = async (): Promise<void> => {
    for (;;) {
      const rows = take(source, most);
      if (rows.length === 0) return;
      const requests = rows.map(({ uin, attributes }) => ({ PutRequest: { Item: personRow(uin, attributes) } }));
      await write(client, table, requests);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function take<Value>(source: Iterator<Value>, count: number): Value[] {
  const values: Value[] = [];
  while (values.length < count) {
    const next = source.next();
    if (next.done) break;
    values.push(next.value);
  }
  return values;
}

async function write(client: DynamoDBClient, table: string, requests: WriteRequest[]): Promise<void> {
  let rest = requests;
  while (rest.length > 0) {
    const { UnprocessedItems = {} } = await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: rest } }));
    rest = UnprocessedItems[table] ?? [];
  }
}
