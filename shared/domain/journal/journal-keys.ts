import { createHash } from 'node:crypto';
import type { JournalRow } from './journal-row.ts';

/**
 * Each day and each caller has 64 shards, which together accept more writes than the table's limit of 40,000 per
 * second. DynamoDB accepts 1,000 writes per second for each partition key if the sort keys are ascending. DynamoDB
 * throttles a table if one of its indexes cannot keep up.
 */
export const shards: readonly number[] = [...Array(64).keys()];

/** Each person has only 8 shards, because a search causes one row per person but many rows for its caller. */
export const uinShards: readonly number[] = [...Array(8).keys()];

/**
 * Returns a row's unique sort key, which begins with a time.
 * @param id the id of the entry, not of the request, because AWS clients can choose request ids
 */
const momentOf = (at: string, id: string, ordinal: number): string => `${at}#${id}#${String(ordinal).padStart(5, '0')}`;

/** Returns whether a row is the first row of its journal entry. */
export const isFirstOfEntry = (moment: string): boolean => moment.endsWith(`#${'0'.repeat(5)}`);

export const isMoment = (text: string): boolean => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z#\S+#\d{5}$/.test(text);

/** Returns a number from which a row's shards follow. It is the same for every attempt to write the row. */
const spreadOf = (moment: string): number => createHash('sha256').update(moment).digest().readUInt8();

/** Returns the UTC date of a sort key, such as `2026-11-22`. */
const dayOf = (moment: string): string => moment.slice(0, 10);

// A DynamoDB partition key has at most 2,048 bytes, but the identity provider decides how long client names are.
const maxCallerLength = 512;

export const callerText = (client: string): string => client.slice(0, maxCallerLength).toWellFormed();

/** Returns the partition key of a shard of a day, a person (UIN) or a caller. */
export const shardKey = (owner: string, shard: number): string => `${owner}#${shard}`;

/**
 * Returns the keys of a row in the table and in the table's indexes.
 * @param id the id of the entry
 * @param lateAt the time (RFC 3339) to use in place of the row's own time if the row is written late
 */
export function journalKeys(row: JournalRow, id: string, ordinal: number, lateAt: string = row.at) {
  const moment = momentOf(lateAt, id, ordinal);
  // The shard depends on the row's original time, so that repeated late writes of the same row use the same shard.
  const spread = spreadOf(momentOf(row.at, id, ordinal));
  const shard = spread % shards.length;
  return {
    moment,
    dayShard: shardKey(dayOf(moment), shard),
    uinShard: row.uin === undefined ? undefined : shardKey(row.uin, spread % uinShards.length),
    callerShard: shardKey(row.caller, shard),
  };
}
