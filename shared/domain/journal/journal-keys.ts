import { createHash } from 'node:crypto';
import type { JournalRow } from '../../model/journal/journal-row.ts';
import { dayMs } from '../day-ms.ts';

/**
 * Into so many parts each key of the journal is cut. DynamoDB takes 1,000 writes a second under one key, and refuses those of a
 * whole table where an index cannot follow: without parts a caller who asks for one person all the time would stop all others.
 */
export const journalShards = 8;

/** Every part, by its number. */
export const shards: readonly number[] = Array.from({ length: journalShards }, (_, shard) => shard);

/** A row's place in time, which no other row has: by its request, and its number within that. It sorts by time. */
export const momentOf = ({ at, requestId }: JournalRow, ordinal: number): string =>
  `${at}#${requestId}#${String(ordinal).padStart(5, '0')}`;

/** The part that a row belongs to: the same for each try of its writing. */
const shardOf = (moment: string): number => (createHash('sha256').update(moment).digest()[0] ?? 0) % journalShards;

/** The day of a moment, in UTC: `2026-11-22`. */
export const dayOf = (moment: string): string => moment.slice(0, 10);

/** The days after these many milliseconds ago up to now, the earliest first. */
export function daysSince(since: number, now: number): string[] {
  const first = Math.floor(since / dayMs);
  return Array.from({ length: Math.floor(now / dayMs) - first + 1 }, (_, index) =>
    dayOf(new Date((first + index) * dayMs).toISOString()),
  );
}

// A key of DynamoDB has 2,048 bytes, and who gives out tokens says how long a name is.
const mostCallerLength = 512;

/** The caller as the journal has it. */
export const callerText = (client: string): string => client.slice(0, mostCallerLength);

export const dayShard = (day: string, shard: number): string => `${day}#${shard}`;
export const uinShard = (uin: string, shard: number): string => `${uin}#${shard}`;
export const callerDayShard = (caller: string, day: string, shard: number): string => `${caller}#${day}#${shard}`;

/** The keys of a row in the table and in its indexes. */
export function journalKeys(row: JournalRow, ordinal: number) {
  const moment = momentOf(row, ordinal);
  const shard = shardOf(moment);
  const day = dayOf(moment);
  return {
    moment,
    dayShard: dayShard(day, shard),
    uinShard: row.uin === undefined ? undefined : uinShard(row.uin, shard),
    callerDayShard: callerDayShard(row.caller, day, shard),
  };
}
