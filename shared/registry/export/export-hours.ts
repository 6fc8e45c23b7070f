import {
  chainParts,
  hourAfter,
  hourOf,
  hourOfManifest,
  hoursFrom,
  type PartOfHour,
  partsPrefix,
  shardAfter,
} from '../../domain/journal/exported-hours.ts';
import { shards } from '../../domain/journal/journal-keys.ts';
import { dayMs, hourMs } from '../../domain/time.ts';
import { timeOfInvocation } from '../../lambda/time-left.ts';
import type { Folder } from '../../storage/journal/exported-objects.ts';
import type { journalHours } from '../../storage/journal/journal-hours.ts';

export interface ExportTools {
  readonly journalHours: ReturnType<typeof journalHours.permissions.read>;
  readonly now: () => number;
  /** Reports how long the oldest hour has been due, in milliseconds; 0 if no hour is due. */
  readonly onOldest: (dueForMs: number) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * An export that processes the data of one hour at a time. An hour with a lot of data is exported in several parts,
 * each with some of the shards.
 */
interface Hours {
  readonly lastHour: string;
  readonly days: number;
  readonly detailsPattern: RegExp;
  readonly list: (begin: string) => Promise<Folder>;
  /** Starting at the given shard, exports an hour until time runs out. The returned part may be empty. */
  readonly exportPart: (hour: string, first: number, hasTime: () => boolean) => Promise<PartOfHour>;
  readonly complete: (hour: string, parts: readonly PartOfHour[]) => Promise<number>;
}

/**
 * The time that must remain before a step starts. Reading a shard takes up to four minutes. DynamoDB accepts 1,000 rows
 * per second for each key, so an hour can have 3.6 million rows in a shard. If a shard takes longer, the next run has
 * 14 minutes for it.
 */
const reserveMs = 300_000;

/**
 * Finds the newest hour with a manifest. If retention settings have changed, the newest hour may be outside the
 * expected range.
 */
async function newestHour(list: Hours['list'], folder = ''): Promise<string | undefined> {
  const { folders, names } = await list(folder);
  for (const one of folders.toReversed()) {
    const newest = await newestHour(list, one);
    if (newest !== undefined) return newest;
  }
  return names.flatMap((name) => hourOfManifest(name) ?? []).at(-1);
}

/** Returns the hour after the newest manifest or, without a manifest, the first hour that can have rows. */
async function firstOf({ now, journalHours }: ExportTools, { list, days, lastHour }: Hours): Promise<string> {
  const newest = await newestHour(list);
  if (newest !== undefined) return hourAfter(newest);
  const first = hourOf(Math.max(now() - days * dayMs, await journalHours.earliest()));
  return first < lastHour ? first : lastHour;
}

/** Exports the missing parts of an hour, then writes its manifest. Returns undefined if time runs out. */
async function exportHour(hour: string, hours: Hours, hasTime: () => boolean): Promise<number | undefined> {
  const parts = chainParts((await hours.list(partsPrefix(hour))).names, hours.detailsPattern);
  while (shardAfter(parts) < shards.length) {
    if (!hasTime()) return undefined;
    parts.push(await hours.exportPart(hour, shardAfter(parts), hasTime));
  }
  return hours.complete(hour, parts);
}

export async function exportHours(tools: ExportTools, hours: Hours) {
  const leftMs = timeOfInvocation();
  const hasTime = (): boolean => leftMs() >= reserveMs;
  const due = hoursFrom(await firstOf(tools, hours), hours.lastHour);
  tools.onOldest(Math.max(0, due.length - 1) * hourMs);
  let [done, rows] = [0, 0];
  for (const hour of due) {
    const exported = hasTime() ? await exportHour(hour, hours, hasTime) : undefined;
    if (exported === undefined) break;
    rows += exported;
    done++;
  }
  return { hours: done, rows, left: due.length - done };
}
