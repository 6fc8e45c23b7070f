import { dayMs, hourMs, isoTime } from '../time.ts';
import { shards } from './journal-keys.ts';

// Every function ends within two hours, so no function adds rows to an hour that ended two hours ago.
const closedMs = 2 * hourMs;

/** Returns the hour of a time in UTC, such as `2026-11-22T05`. */
export const hourOf = (epochMs: number): string => isoTime(epochMs).slice(0, 13);

const startOf = (hour: string): number => Date.parse(`${hour}:00:00Z`);

/** Returns the latest hour that ended at least two hours ago. No more rows are added to this hour. */
export const lastClosedHour = (now: number): string => hourOf(now - closedMs - hourMs);

export const hoursFrom = (first: string, last: string): string[] =>
  Array.from({ length: Math.max(0, (startOf(last) - startOf(first)) / hourMs + 1) }, (_, index) =>
    hourOf(startOf(first) + index * hourMs),
  );

export const hourAfter = (hour: string): string => hourOf(startOf(hour) + hourMs);

/**
 * Returns the time to use in the key of a late row. Returns undefined if the row's original hour cannot have been
 * exported yet.
 */
export const lateAt = (at: number, now: number): number | undefined => (now - at > hourMs ? now : undefined);

export const nameOfHour = (hour: string): string => hour.slice(0, 13).replaceAll(/[-T]/g, '/');

/** Returns the hour of a manifest; undefined if the object is not a manifest. */
export function hourOfManifest(name: string): string | undefined {
  const [, day, hour] = /^(\d{4}\/\d\d\/\d\d)\/(\d\d)\.json$/.exec(name) ?? [];
  return day === undefined ? undefined : `${day.replaceAll('/', '-')}T${hour}`;
}

// The number of days in which a stopped export can be repaired before rows expire.
const marginDays = 7;

/**
 * Returns the latest hour that can be exported. An hour is exported a week before its deliveries or journal rows
 * expire, or after half of their lifetime, whichever is later. Deliveries that are still waiting are exported with the
 * state `waiting`.
 */
export function lastExportableHour(
  now: number,
  { deliveryDays, journalDays }: { deliveryDays: number; journalDays: number },
): string {
  const kept = Math.min(deliveryDays, journalDays);
  return hourOf(now - Math.max(kept / 2, kept - marginDays) * dayMs - hourMs);
}

/** Returns the name of the object that contains the deliveries of a message. @param publishedAt RFC 3339 */
export const eventObject = ({ messageId, publishedAt }: { messageId: string; publishedAt: string }): string =>
  `${nameOfHour(publishedAt)}/${messageId}.ndjson.gz`;

export const messageOfObject = (key: string): string => key.slice(key.lastIndexOf('/') + 1).split('.')[0] ?? '';

export interface PartOfHour {
  readonly first: number;
  readonly last: number;
  /** Further details in the name of the part, such as the number of rows. Details must not contain `-` or `.`. */
  readonly details: readonly string[];
}

const shardText = (shard: number): string => String(shard).padStart(2, '0');

/** `2026/11/22/05-` */
export const partsPrefix = (hour: string): string => `${nameOfHour(hour)}-`;

/** Returns the name of a part, such as `2026/11/22/05-00-17-120` (hour, shards 0 to 17, details), without extension. */
export const nameOfPart = (hour: string, { first, last, details }: PartOfHour): string =>
  `${partsPrefix(hour)}${[shardText(first), shardText(last), ...details].join('-')}`;

/**
 * Parses the object name of a part. Files with other names must not count as parts, because an export would then skip
 * shards that have not been exported.
 */
function partOf(name: string, detailsPattern: RegExp): PartOfHour[] {
  const [, first = '', last = '', details = ''] = /\/\d\d-(\d\d)-(\d\d)-(.+)$/.exec(name) ?? [];
  if (!detailsPattern.test(details) || first > last || Number(last) >= shards.length) return [];
  return [{ first: Number(first), last: Number(last), details: details.replace(/\..*/, '').split('-') }];
}

/**
 * Returns consecutive parts that cover the shards without a gap, starting at shard 0. If two runs wrote parts with the
 * same first shard, the part with more shards is used.
 * @param detailsPattern matches the text after the shards
 */
export function chainParts(names: readonly string[], detailsPattern: RegExp): PartOfHour[] {
  const chain: PartOfHour[] = [];
  const parts = names
    .flatMap((name) => partOf(name, detailsPattern))
    .toSorted((one, other) => one.first - other.first || other.last - one.last);
  for (const part of parts) {
    if (part.first === shardAfter(chain)) chain.push(part);
  }
  return chain;
}

export const shardAfter = (parts: readonly PartOfHour[]): number => (parts.at(-1)?.last ?? -1) + 1;
