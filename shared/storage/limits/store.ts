import { DeleteItemCommand, type DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { defineStore } from '../../contract/define-store.ts';
import { callerText } from '../../domain/journal/journal-keys.ts';
import type { Slot } from '../../domain/subscriptions/subscription.ts';
import { hourMs, minuteMs } from '../../domain/time.ts';
import { fromItem, getItem, queryPages, toItem, unlessConflict } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';
import { deleteIf, putIf } from '../writes.ts';

/** A slot in a limit, with its expiry time (epoch milliseconds). */
export const slotRow = z.object({ slot: z.string(), until: z.int() });

// DynamoDB expects expiry times in epoch seconds.
const expiry = (until: number): number => Math.ceil(until / 1000);

const acquireSlot = (client: DynamoDBClient, table: string) => {
  async function heldSlotsAt(id: string, now: number) {
    const pages = queryPages(client, {
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'id = :id',
      ExpressionAttributeValues: toItem({ ':id': id }),
    });
    const rows = (await Array.fromAsync(pages)).flat();
    return rows.map((row) => fromItem(slotRow, row)).filter(({ until }) => until > now);
  }

  async function put({ id, slot, holder }: Slot, until: number, now: number): Promise<boolean> {
    const row = toItem({ id, slot, holder, until, expiresAt: expiry(until) });
    const free = { condition: 'attribute_not_exists(#id) OR #until <= :now', values: { now } };
    const done = await putIf(client, table, row, free);
    // If the response to an earlier attempt was lost, the stored row may come from this call.
    return done.isDone || done.stored?.holder?.S === holder;
  }

  return {
    /**
     * Acquires one of `max` slots for a holder. Concurrent callers cannot exceed `max`. All times are in epoch
     * milliseconds.
     * @returns the slot, or the time at which the next slot expires
     */
    async acquireSlot(
      { id, holder, max, until }: { id: string; holder: string; max: number; until: number },
      now: number,
    ): Promise<Slot | { readonly freeAt: number }> {
      for (let tries = 0; ; tries++) {
        const held = await heldSlotsAt(id, now);
        if (held.length >= max) {
          const ends = held.map((one) => one.until).toSorted((a, b) => a - b);
          return { freeAt: ends[held.length - max] ?? now };
        }
        const heldSlots = new Set(held.map(({ slot }) => slot));
        const open = Array.from({ length: max }, (_, number) => String(number)).filter((slot) => !heldSlots.has(slot));
        // The holder's id selects the first slot to try, so that concurrent holders rarely compete for a slot.
        const slot = open[(Buffer.from(holder).at(-1 - (tries % 8)) ?? 0) % open.length] ?? '0';
        if (await put({ id, slot, holder }, until, now)) return { id, slot, holder };
      }
    },
  };
};

const releaseSlot = (client: DynamoDBClient, table: string) => ({
  /** Releases a slot, unless another holder has acquired it. */
  async releaseSlot({ id, slot, holder }: Slot): Promise<void> {
    await deleteIf(client, table, toItem({ id, slot }), { condition: '#holder = :holder', values: { holder } });
  },
});

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
    return Number((await getItem(client, table, Key, { ConsistentRead: false }))?.count?.N ?? 0);
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
