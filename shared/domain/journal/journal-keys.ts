import { createHash } from 'node:crypto';
import type { JournalRow } from './journal-row.ts';

const numbers = (length: number): readonly number[] => Array.from({ length }, (_, shard) => shard);

/**
 * The shards per day and per caller. DynamoDB accepts 1,000 ordered writes per second and key, and throttles a table if
 * an index cannot keep up. A table is limited to 40,000 writes per second, which 64 shards exceed.
 */
export const shards: readonly number[] = numbers(64);

/** The shards per person: fewer than per caller, because a search writes one row per person but many per caller. */
export const uinShards: readonly number[] = numbers(8);

/**
 * Returns the unique sort key of a row, which begins with a time.
 * @param id identifies the entry; never chosen by a caller, although AWS clients can set request ids
 */
const momentOf = (at: string, id: string, ordinal: number): string => `${at}#${id}#${String(ordinal).padStart(5, '0')}`;

/** Returns whether a row is the first of its entry. Each event has exactly one first row. */
export const isFirstOfEntry = (moment: string): boolean => moment.endsWith(`#${'0'.repeat(5)}`);

export const isMoment = (text: string): boolean => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z#\S+#\d{5}$/.test(text);

/** Returns the shard of a row, which is the same for every attempt to write the row. */
const shardOf = (moment: string, { length }: readonly number[]): number =>
  (createHash('sha256').update(moment).digest()[0] ?? 0) % length;

/** Returns the day of a moment in UTC, such as `2026-11-22`. */
const dayOf = (moment: string): string => moment.slice(0, 10);

// A DynamoDB key has at most 2,048 bytes, and the identity provider decides how long a client name is.
const maxCallerLength = 512;

export const callerText = (client: string): string => client.slice(0, maxCallerLength).toWellFormed();

export const dayShard = (day: string, shard: number): string => `${day}#${shard}`;
export const uinShard = (uin: string, shard: number): string => `${uin}#${shard}`;
export const callerShard = (caller: string, shard: number): string => `${caller}#${shard}`;

/**
 * Returns the keys of a row in the table and its indexes.
 * @param id identifies the entry
 * @param lateAt replaces the row's own time (both RFC 3339) if the row is written too late for its hour
 */
export function journalKeys(row: JournalRow, id: string, ordinal: number, lateAt: string = row.at) {
  const moment = momentOf(lateAt, id, ordinal);
  // The shard follows from the row's own time: repeated late writes get the same shard, where exports recognize them.
  const own = momentOf(row.at, id, ordinal);
  const shard = shardOf(own, shards);
  return {
    moment,
    dayShard: dayShard(dayOf(moment), shard),
    uinShard: row.uin === undefined ? undefined : uinShard(row.uin, shardOf(own, uinShards)),
    callerShard: callerShard(row.caller, shard),
  };
}
