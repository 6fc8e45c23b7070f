import { dayMs } from '../../domain/day-ms.ts';
import { hourAfter, hourMs, hourOf, hourOfManifest, hoursFrom } from '../../domain/journal/exported-hours.ts';
import { timeOfInvocation } from '../../invocation/time-left.ts';
import type { Folder } from './look-into.ts';

/** What is exported an hour at a time. */
export interface Hours {
  readonly now: () => number;
  /** The last hour that is to be exported now. */
  readonly last: string;
  /** For which there is something to export of an hour. */
  readonly days: number;
  /** Since when there can be something, epoch milliseconds. */
  readonly begun: () => Promise<number>;
  /** Looks into a folder of manifests; the one of all has the name of none. */
  readonly look: (folder: string) => Promise<Folder>;
  /** Exports an hour, its manifest last: answers how many rows it has, or undefined where the time was over before. */
  readonly exportHour: (hour: string, hasTime: () => boolean) => Promise<number | undefined>;
  /** Hears for how many milliseconds the first hour of a run has been due; 0 where none is. */
  readonly onOldest: (dueForMs: number) => void;
  /** Hears of each row that cannot be read; the export goes on. */
  readonly onFault: (error: unknown) => void;
}

// Nothing long is begun with less time, which is a third of a run: millions of rows take minutes.
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

/** Exports the hours that are over, in their order, while there is time; a manifest exists only of a whole hour. */
export async function exportHours(hours: Hours): Promise<{ hours: number; rows: number; left: number }> {
  const leftMs = timeOfInvocation();
  const hasTime = (): boolean => leftMs() >= reserveMs;
  const due = hoursFrom(await firstOf(hours), hours.last);
  hours.onOldest(Math.max(0, due.length - 1) * hourMs);
  let [done, rows] = [0, 0];
  for (const hour of due) {
    const exported = hasTime() ? await hours.exportHour(hour, hasTime) : undefined;
    if (exported === undefined) break;
    rows += exported;
    done++;
  }
  return { hours: done, rows, left: due.length - done };
}
