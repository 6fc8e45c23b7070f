import { setTimeout as sleep } from 'node:timers/promises';
import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inParts } from '../domain/in-parts.ts';
import { Fault } from '../model/faults.ts';
import type { Item } from './dynamo.ts';
import { pauseAfter } from './retry-strategy.ts';

/** DynamoDB's limit. */
const mostItems = 25;
// As many as a client has connections for.
const mostRequests = 40;

async function writeBatch(client: DynamoDBClient, table: string, items: readonly Item[]): Promise<void> {
  let left = items.map((Item) => ({ PutRequest: { Item } }));
  for (let tries = 1; ; tries++) {
    const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: left } }));
    left = (UnprocessedItems?.[table] ?? []) as typeof left;
    if (left.length === 0) return;
    const pauseMs = pauseAfter(tries);
    if (pauseMs === undefined) throw new Fault('rowsUnwritten', { count: left.length });
    await sleep(pauseMs);
  }
}

/**
 * Puts rows, 25 a request and 40 requests at once. What DynamoDB leaves unwritten under load is sent again, by the rule for what it
 * refuses. @throws Fault `rowsUnwritten`
 */
export async function batchWrite(client: DynamoDBClient, table: string, items: readonly Item[]): Promise<void> {
  for (const batches of inParts(inParts(items, mostItems), mostRequests)) {
    await Promise.all(batches.map((some) => writeBatch(client, table, some)));
  }
}
