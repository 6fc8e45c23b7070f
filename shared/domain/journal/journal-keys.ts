import { createHash } from 'node:crypto';
import type { JournalRow } from '../../model/journal/journal-row.ts';

const numbers = (length: number): readonly number[] => Array.from({ length }, (_, shard) => shard);

/**
 * The parts of a day and of a caller, by their numbers. DynamoDB takes 1,000 writes a second under one key whose rows come in
 * their order, and refuses those of a whole table where an index cannot follow. One table has 40,000 at most: all parts bear more.
 */
export const shards: readonly number[] = numbers(64);

/** The parts of a person: a row of each search about one, where a search writes many of a caller. */
export const uinShards: readonly number[] = numbers(8);

/**
 * A row's place in time, which no other row has: by its entry, and its number within that. It sorts by time.
 * @param id of the entry, which no caller may choose: clients of AWS can give a request its id
 */
const momentOf = (at: string, id: string, ordinal: number): string => `${at}#${id}#${String(ordinal).padStart(5, '0')}`;

/** Whether a moment is that of the first row of its entry: of an event there is one such row. */
export const isFirstOfEntry = (moment: string): boolean => moment.endsWith(`#${'0'.repeat(5)}`);

/** Whether a text has the form of a moment. */
export const isMoment = (text: string): boolean => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z#\S+#\d{5}$/.test(text);

/** The part that a row belongs to: the same for each try of its writing, also where that is late. */
const shardOf = (moment: string, { length }: readonly number[]): number =>
  (createHash('sha256').update(moment).digest()[0] ?? 0) % length;

/** The day of a moment, in UTC: `2026-11-22`. */
const dayOf = (moment: string): string => moment.slice(0, 10);

// A key of DynamoDB has 2,048 bytes, and who gives out tokens says how long a name is.
const mostCallerLength = 512;

/** The caller as the journal has it. */
export const callerText = (client: string): string => client.slice(0, mostCallerLength).toWellFormed();

export const dayShard = (day: string, shard: number): string => `${day}#${shard}`;
export const uinShard = (uin: string, shard: number): string => `${uin}#${shard}`;
export const callerShard = (caller: string, shard: number): string => `${caller}#${shard}`;

/**
 * The keys of a row in the table and in its indexes.
 * @param id of its entry
 * @param lateAt in place of the row's own time (both RFC 3339), where it is written too late to stand there
 */
export function journalKeys(row: JournalRow, id: string, ordinal: number, lateAt: string = row.at) {
  const moment = momentOf(lateAt, id, ordinal);
  // By the row's own time: one that is written late twice is in one shard, where an export can know it again.
  const own = momentOf(row.at, id, ordinal);
  const shard = shardOf(own, shards);
  return {
    moment,
    dayShard: dayShard(dayOf(moment), shard),
    uinShard: row.uin === undefined ? undefined : uinShard(row.uin, shardOf(own, uinShards)),
    callerShard: callerShard(row.caller, shard),
  };
}
