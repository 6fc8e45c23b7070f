import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { callerText } from '../../domain/journal/journal-keys.ts';
import type { Slot } from '../../domain/subscriptions/subscription.ts';
import { hourMs, minuteMs } from '../../domain/time.ts';
import { type DynamoTable, fromItem, getItem, queryPages, toItem, unlessConflict } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';
import { deleteIf, putIf } from '../writes.ts';

/** A slot in a limit, with its expiry time (epoch milliseconds). */
export const slotRow = z.object({ slot: z.string(), until: z.int() });

// DynamoDB expects expiry times in epoch seconds.
const expiry = (until: number): number => Math.ceil(until / 1000);

async function heldSlotsAt(table: DynamoTable, id: string, now: number) {
  const pages = queryPages(table, {
    ConsistentRead: true,
    KeyConditionExpression: 'id = :id',
    ExpressionAttributeValues: toItem({ ':id': id }),
  });
  const rows = (await Array.fromAsync(pages)).flat();
  return rows.map((row) => fromItem(slotRow, row)).filter(({ until }) => until > now);
}

async function put(table: DynamoTable, { id, slot, holder }: Slot, until: number, now: number): Promise<boolean> {
  const row = toItem({ id, slot, holder, until, expiresAt: expiry(until) });
  const free = { condition: 'attribute_not_exists(#id) OR #until <= :now', values: { now } };
  const done = await putIf(table, row, free);
  // If the response to an earlier attempt was lost, the stored row may come from this call.
  return done.isDone || done.stored?.holder?.S === holder;
}

const acquireSlot = (table: DynamoTable) => ({
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
      const held = await heldSlotsAt(table, id, now);
      if (held.length >= max) {
        const ends = held.map((one) => one.until).toSorted((a, b) => a - b);
        return { freeAt: ends[held.length - max] ?? now };
      }
      const heldSlots = new Set(held.map(({ slot }) => slot));
      const open = Array.from({ length: max }, (_, number) => String(number)).filter((slot) => !heldSlots.has(slot));
      // The holder's id selects the first slot to try, so that concurrent holders rarely compete for a slot.
      const slot = open[(Buffer.from(holder).at(-1 - (tries % 8)) ?? 0) % open.length] ?? '0';
      if (await put(table, { id, slot, holder }, until, now)) return { id, slot, holder };
    }
  },
});

const releaseSlot = (table: DynamoTable) => ({
  /** Releases a slot, unless another holder has acquired it. */
  async releaseSlot({ id, slot, holder }: Slot): Promise<void> {
    await deleteIf(table, toItem({ id, slot }), { condition: '#holder = :holder', values: { holder } });
  },
});

/**
 * Adds to the counter of the current period (such as a clock hour), unless the counter already exceeds `most`.
 * @returns the end of the period if nothing was added
 */
async function addInPeriod(
  { client, TableName }: DynamoTable,
  { id, add, most, periodMs }: { id: string; add: number; most: number; periodMs: number },
  now: number,
): Promise<{ readonly freeAt: number } | undefined> {
  const period = Math.floor(now / periodMs);
  const freeAt = (period + 1) * periodMs;
  const counted = await unlessConflict(
    client.send(
      new UpdateItemCommand({
        TableName,
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

const countInHour = (table: DynamoTable) => ({
  /** Counts a request, up to `max` per clock hour. @returns the end of the hour if the limit is reached */
  countInHour: (id: string, max: number, now: number) =>
    addInPeriod(table, { id, add: 1, most: max - 1, periodMs: hourMs }, now),
});

const searchRowsId = (caller: string): string => `searchRows#${callerText(caller)}`;

/** Counts the journal rows that a caller's searches cause in each clock minute. */
const countSearchRows = (table: DynamoTable) => ({
  async searchRows(caller: string, now: number): Promise<number> {
    const Key = toItem({ id: searchRowsId(caller), slot: String(Math.floor(now / minuteMs)) });
    return Number((await getItem(table, Key, { ConsistentRead: false }))?.count?.N ?? 0);
  },
  /** Counts rows, unless the count already exceeds `most`. @returns the end of the minute if nothing was counted */
  addSearchRows: (caller: string, add: number, most: number, now: number) =>
    addInPeriod(table, { id: searchRowsId(caller), add, most, periodMs: minuteMs }, now),
});

// The key of the row that marks a mailbox as declining requests. This row never expires.
const declinedKey = (id: string) => toItem({ id, slot: 'never' });

const readDeclined = (table: DynamoTable) => ({
  /** Returns whether the mailbox with this hash (`declinedId`) declines all confirmation requests. */
  declinesRequests: async (id: string): Promise<boolean> => (await getItem(table, declinedKey(id))) !== undefined,
});

const declineRequests = ({ client, TableName }: DynamoTable) => ({
  async declineRequests(id: string): Promise<void> {
    await client.send(new PutItemCommand({ TableName, Item: declinedKey(id) }));
  },
});

const allowRequests = ({ client, TableName }: DynamoTable) => ({
  /** Reverses `declineRequests`. Returns false if the mailbox did not decline requests. */
  async allowRequests(id: string): Promise<boolean> {
    const { Attributes } = await client.send(
      new DeleteItemCommand({ TableName, Key: declinedKey(id), ReturnValues: 'ALL_OLD' }),
    );
    return Attributes !== undefined;
  },
});

/**
 * Limits on confirmation requests: numbered slots that expire, hourly counters, and mailboxes that decline requests.
 * Ids are keyed hashes, so the table contains no addresses.
 */
export const limits = tableStore('limits', {
  enforce: (table) => ({
    ...acquireSlot(table),
    ...releaseSlot(table),
    ...countInHour(table),
    ...readDeclined(table),
  }),
  releaseSlot,
  countInHour,
  countSearchRows,
  readDeclined,
  declineRequests,
  allowRequests,
});
