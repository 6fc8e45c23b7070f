import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetItemCommand, type DynamoDBClient, type KeysAndAttributes } from '@aws-sdk/client-dynamodb';
import { inParts } from '../domain/in-parts.ts';
import { Fault } from '../model/faults.ts';
import type { Item } from './dynamo.ts';
import { pauseAfter } from './retry-strategy.ts';

/** DynamoDB's limit. */
const mostKeys = 100;

/**
 * Reads the rows of these keys that there are, 100 a request, in no order. What DynamoDB leaves unread under load is asked for
 * again, by the rule for what it refuses. @throws Fault `rowsUnread`
 */
export async function batchGet(
  client: DynamoDBClient,
  table: string,
  keys: readonly Item[],
  reading: Omit<KeysAndAttributes, 'Keys'>,
): Promise<Item[]> {
  const found: Item[] = [];
  for (const some of inParts(keys, mostKeys)) {
    let left: Item[] = [...some];
    for (let round = 0; left.length > 0; round++) {
      if (round > 0) await pause(round, left.length);
      const request = new BatchGetItemCommand({ RequestItems: { [table]: { ...reading, Keys: left } } });
      const { Responses, UnprocessedKeys } = await client.send(request);
      found.push(...(Responses?.[table] ?? []));
      left = UnprocessedKeys?.[table]?.Keys ?? [];
    }
  }
  return found;
}

async function pause(rounds: number, count: number): Promise<void> {
  const pauseMs = pauseAfter(rounds);
  if (pauseMs === undefined) throw new Fault('rowsUnread', { count });
  await sleep(pauseMs);
}
