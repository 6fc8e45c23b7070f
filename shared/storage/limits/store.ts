import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { defineStore } from '../../contract/define-store.ts';
import { callerText } from '../../domain/journal/journal-keys.ts';
import { hourMs, minuteMs } from '../../domain/time.ts';
import { getItem, toItem, unlessConflict } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';
import { acquireSlot, releaseSlot } from './slots.ts';

/**
 * Adds to the counter of the current period (such as a clock hour), unless the counter already exceeds `most`.
 * @returns the end of the period if nothing was added
 */
async function addInPeriod(
  [client, table]: readonly [DynamoDBClient, string],
  { id, add, most, periodMs }: { id: string; add: number; most: number; periodMs: number },
  now: number,
): Promise<{ readonly freeAt: number } | undefined> {
  const period = Math.floor(now / periodMs);
  const freeAt = (period + 1) * periodMs;
  const counted = await unlessConflict(
    client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: toItem({ id, slot: String(period) }),
        UpdateExpression: 'SET expiresAt = :expiresAt ADD #count :add',
        ConditionExpression: 'attribute_not_exists(#count) OR #count <= :most',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues: toItem({ ':add': add, ':most': most, ':expiresAt': freeAt / 1000 }),
      }),
    ),
  );
  return counted.isDone ? undefined : { freeAt };
}

const countInHour = (client: DynamoDBClient, table: string) => ({
  /** Counts a request, up to `max` per clock hour. @returns the end of the hour if the limit is reached */
  countInHour: (id: string, max: number, now: number) =>
    addInPeriod([client, table], { id, add: 1, most: max - 1, periodMs: hourMs }, now),
});

const searchRowsId = (caller: string): string => `searchRows#${callerText(caller)}`;

/** Counts the journal rows that a caller's searches cause in each clock minute. */
const countSearchRows = (client: DynamoDBClient, table: string) => ({
  async searchRows(caller: string, now: number): Promise<number> {
    const Key = toItem({ id: searchRowsId(caller), slot: String(Math.floor(now / minuteMs)) });
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key }));
    return Number(Item?.count?.N ?? 0);
  },
  /** Counts rows, unless the count already exceeds `most`. @returns the end of the minute if nothing was counted */
  addSearchRows: (caller: string, add: number, most: number, now: number) =>
    addInPeriod([client, table], { id: searchRowsId(caller), add, most, periodMs: minuteMs }, now),
});

// The key of the row that marks a mailbox as declining requests. This row never expires.
const declinedKey = (id: string) => toItem({ id, slot: 'never' });

const readDeclined = (client: DynamoDBClient, table: string) => ({
  /** Returns whether the mailbox with this hash (`declinedId`) declines all confirmation requests. */
  declinesRequests: async (id: string): Promise<boolean> =>
    (await getItem(client, table, declinedKey(id))) !== undefined,
});

const declineRequests = (client: DynamoDBClient, table: string) => ({
  async declineRequests(id: string): Promise<void> {
    await client.send(new PutItemCommand({ TableName: table, Item: declinedKey(id) }));
  },
});

const allowRequests = (client: DynamoDBClient, table: string) => ({
  /** Reverses `declineRequests`. Returns false if the mailbox did not decline requests. */
  async allowRequests(id: string): Promise<boolean> {
    const { Attributes } = await client.send(
      new DeleteItemCommand({ TableName: table, Key: declinedKey(id), ReturnValues: 'ALL_OLD' }),
    );
    return Attributes !== undefined;
  },
});

/**
 * Limits on confirmation requests: numbered slots that expire, hourly counters, and mailboxes that decline requests.
 * Ids are keyed hashes, so the table contains no addresses.
 */
export const limits = defineStore({
  name: 'limits',
  ...tableStore,
  permissions: {
    enforce: (client, table: string) => ({
      ...acquireSlot(client, table),
      ...releaseSlot(client, table),
      ...countInHour(client, table),
      ...readDeclined(client, table),
    }),
    releaseSlot,
    countInHour,
    countSearchRows,
    readDeclined,
    declineRequests,
    allowRequests,
  },
});
