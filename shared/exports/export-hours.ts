import { dayMs } from '../domain/day-ms.ts';
import { hourAfter, hourMs, hourOf, hourOfManifest, hoursFrom } from '../domain/journal/exported-hours.ts';
import { shards } from '../domain/journal/journal-keys.ts';
import { namesOfParts, type PartOfHour, partsBy, shardAfter } from '../domain/journal/parts-of-hours.ts';
import { timeOfInvocation } from '../lambda/time-left.ts';
import type { Folder } from '../storage/journal/look-into.ts';

/** What is exported an hour at a time, and of a long hour some shards at a time. */
export interface Hours {
  readonly now: () => number;
  /** The last hour that is to be exported now. */
  readonly last: string;
  /** For which there is something to export of an hour. */
  readonly days: number;
  /** Since when there can be something, epoch milliseconds. */
  readonly begun: () => Promise<number>;
  /** Of what the name of a part says after its shards. */
  readonly toldPattern: RegExp;
  /** Looks for manifests, and for the parts of an hour, by what their names begin with. */
  readonly look: (begin: string) => Promise<Folder>;
  /** Exports an hour from a shard on, as long as there is time: answers the part that it wrote, which may have none. */
  readonly exportPart: (hour: string, first: number, hasTime: () => boolean) => Promise<PartOfHour>;
  /** Writes the manifest of an hour of which all parts are there; answers how many rows it has. */
  readonly conclude: (hour: string, parts: readonly PartOfHour[]) => Promise<number>;
  /** Hears for how many milliseconds the first hour of a run has been due; 0 where none is. */
  readonly onOldest: (dueForMs: number) => void;
  /** Hears of each row that cannot be read; the export goes on. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Nothing long is begun with less time: the rows of a shard take four minutes at the most where they are short. Under one
 * key DynamoDB takes 1,000 rows a second, 3.6 million an hour. What takes longer is the first of the next run, which has 14 minutes.
 */
const reserveMs = 300_000;

/** The newest hour that has a manifest. It may be long ago, or to come: then for fewer or more days was kept what is exported. */
async function newestHour(look: Hours['look'], folder = ''): Promise<string | undefined> {
  const { folders, names } = await look(folder);
  for (const one of folders.toReversed()) {
    const newest = await newestHour(look, one);
    if (newest !== undefined) return newest;
  }
  return names.flatMap((name) => hourOfManifest(name) ?? []).at(-1);
}

/** The first hour without a manifest after all that have one; with none, the first that can have rows. */
async function firstOf({ look, now, days, begun, last }: Hours): Promise<string> {
  const newest = await newestHour(look);
  if (newest !== undefined) return hourAfter(newest);
  const first = hourOf(Math.max(now() - days * dayMs, await begun()));
  return first < last ? first : last;
}

/** Exports what is not there yet of an hour, its manifest last; answers undefined where the time was over before. */
async function exportHour(hour: string, hours: Hours, hasTime: () => boolean): Promise<number | undefined> {
  const parts = partsBy((await hours.look(namesOfParts(hour))).names, hours.toldPattern);
  while (shardAfter(parts) < shards.length) {
    if (!hasTime()) return undefined;
    parts.push(await hours.exportPart(hour, shardAfter(parts), hasTime));
  }
  return hours.conclude(hour, parts);
}

/** Exports the hours that are over, in their order, while there is time; a manifest exists only of a whole hour. */
export async function exportHours(hours: Hours): Promise<{ hours: number; rows: number; left: number }> {
  const leftMs = timeOfInvocation();
  const hasTime = (): boolean => leftMs() >= reserveMs;
  const due = hoursFrom(await firstOf(hours), hours.last);
  hours.onOldest(Math.max(0, due.length - 1) * hourMs);
  let [done, rows] = [0, 0];
  for (const hour of due) {
    const exported = hasTime() ? await exportHour(hour, hours, hasTime) : undefined;
    if (exported === undefined) break;
    rows += exported;
    done++;
  }
  return { hours: done, rows, left: due.length - done };
}
