import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetItemCommand, BatchWriteItemCommand, type KeysAndAttributes } from '@aws-sdk/client-dynamodb';
import { inParts } from '../domain/in-parts.ts';
import { InternalError } from '../domain/internal-errors.ts';
import { markGivenUp } from '../lambda/time-left.ts';
import type { DynamoTable, Item } from './dynamo.ts';
import { pauseAfter } from './retry-strategy.ts';

const maxItems = 25;
// The maximum number of parallel requests. A client has the same number of connections.
const maxRequests = 40;

async function writeBatch({ client, TableName }: DynamoTable, items: readonly Item[]): Promise<void> {
  let left = items.map((Item) => ({ PutRequest: { Item } }));
  for (let tries = 1; ; tries++) {
    const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: left } }));
    left = (UnprocessedItems?.[TableName] ?? []) as typeof left;
    if (left.length === 0) return;
    await pause(tries, 'rowsUnwritten', left.length);
  }
}

/** Writes rows in requests of 25 rows, at most 40 requests at a time. @throws InternalError `rowsUnwritten` */
export async function batchWrite(table: DynamoTable, items: readonly Item[]): Promise<void> {
  for (const batches of inParts(inParts(items, maxItems), maxRequests)) {
    await Promise.all(batches.map((some) => writeBatch(table, some)));
  }
}

const maxKeys = 100;

/** Reads rows by key in requests of 100 rows, in no particular order. @throws InternalError `rowsUnread` */
export async function batchGet(
  { client, TableName }: DynamoTable,
  keys: readonly Item[],
  reading: Omit<KeysAndAttributes, 'Keys'>,
): Promise<Item[]> {
  const found: Item[] = [];
  for (const some of inParts(keys, maxKeys)) {
    let left: Item[] = [...some];
    for (let round = 0; left.length > 0; round++) {
      if (round > 0) await pause(round, 'rowsUnread', left.length);
      const request = new BatchGetItemCommand({ RequestItems: { [TableName]: { ...reading, Keys: left } } });
      const { Responses, UnprocessedKeys } = await client.send(request);
      found.push(...(Responses?.[TableName] ?? []));
      left = UnprocessedKeys?.[TableName]?.Keys ?? [];
    }
  }
  return found;
}

async function pause(tries: number, failure: 'rowsUnread' | 'rowsUnwritten', count: number): Promise<void> {
  const pauseMs = pauseAfter(tries);
  if (pauseMs === undefined) {
    const error = new InternalError(failure, { count });
    markGivenUp(error);
    throw error;
  }
  await sleep(pauseMs);
}
