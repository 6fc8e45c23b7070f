import { inParts } from '../../domain/in-parts.ts';
import { lastTold } from '../../domain/journal/exported-hours.ts';
import { shards } from '../../domain/journal/journal-keys.ts';
import { nameOfPart, type PartOfHour } from '../../domain/journal/parts-of-hours.ts';
import { type Event, type EventTools, eventsOf, exportEvent } from '../../exports/export-event.ts';
import { exportHours, type Hours } from '../../exports/export-hours.ts';
import type { journalHours } from '../../storage/journal/journal-hours.ts';

interface Exporting extends EventTools, Pick<Hours, 'now' | 'onOldest' | 'onFault'> {
  readonly journalHours: ReturnType<(typeof journalHours)['permissions']['read']>;
  readonly settings: { readonly ledgerDays: number; readonly journalDays: number };
}

// Messages of one slice of the ledger, which are for some hundreds, are exported side by side; a larger one takes a run's memory.
const smallBits = 5;
const sideBySide = 16;

// In this order they stand in the names of parts.
const counted = ['events', 'objects', 'forgotten', 'unreadable'] as const;
const toldPattern = new RegExp(`^\\d+(-\\d+){${counted.length - 1}}\\.json$`);
type Counts = Record<(typeof counted)[number], number>;

const sumOf = (all: readonly Counts[]): Counts =>
  Object.fromEntries(counted.map((name) => [name, all.reduce((sum, one) => sum + one[name], 0)])) as Counts;

/** Says of events whether they have an object: those of each hour of publication are listed once. */
function objectsThere({ deliveryObjects }: Exporting) {
  const listed = new Map<string, Promise<ReadonlySet<string>>>();
  return async ({ messageId, publishedAt }: Event): Promise<boolean> => {
    const hour = publishedAt.slice(0, 13);
    const there = listed.get(hour) ?? deliveryObjects.doneOf(hour);
    listed.set(hour, there);
    return (await there).has(messageId);
  };
}

/** Exports the events of a shard but those that are there; answers undefined where the time was over before. */
async function exportShard(
  hour: string,
  shard: number,
  isThere: ReturnType<typeof objectsThere>,
  hasTime: () => boolean,
  exporting: Exporting,
): Promise<Counts | undefined> {
  const counts = sumOf([]);
  const onFault = (error: unknown): void => {
    counts.unreadable++;
    exporting.onFault(error);
  };
  const seen = new Set<string>();
  for await (const { rows } of exporting.journalHours.ofShard(hour, shard, onFault)) {
    const events = await eventsOf(rows, seen, exporting, onFault);
    const there = await Promise.all(events.map(isThere));
    const due = events.filter((_, index) => !there[index]);
    counts.events += events.length;
    counts.objects += events.length - due.length;
    counts.forgotten += events.filter(({ isKnown }) => !isKnown).length;
    const isSmall = ({ bits = smallBits }: Event): boolean => bits <= smallBits;
    const large = due.filter((one) => !isSmall(one)).map((one) => [one]);
    for (const some of [...inParts(due.filter(isSmall), sideBySide), ...large]) {
      if (!hasTime()) return undefined;
      const written = await Promise.all(some.map(({ isKnown: _, ...event }) => exportEvent(event, exporting)));
      counts.objects += written.filter(Boolean).length;
    }
  }
  return counts;
}

/** Exports the events of an hour from a shard on, and notes how far it came where it did not come to the end. */
async function exportPart(hour: string, first: number, hasTime: () => boolean, exporting: Exporting) {
  const isThere = objectsThere(exporting);
  const all: Counts[] = [];
  for (const shard of shards.slice(first)) {
    const counts = hasTime() ? await exportShard(hour, shard, isThere, hasTime, exporting) : undefined;
    if (counts === undefined) break;
    all.push(counts);
  }
  const counts = sumOf(all);
  const last = first + all.length - 1;
  const part = { first, last, told: counted.map((name) => String(counts[name])) };
  const isAmid = all.length > 0 && last < shards.length - 1;
  if (isAmid)
    await exporting.deliveryObjects.put(`${nameOfPart(hour, part)}.json`, Buffer.from(JSON.stringify(counts)));
  return part;
}

/** Says that an hour is whole, and what it had. */
async function conclude(hour: string, parts: readonly PartOfHour[], { deliveryObjects }: Exporting): Promise<number> {
  const read = parts.map(
    ({ told }) => Object.fromEntries(counted.map((name, at) => [name, Number(told[at])])) as Counts,
  );
  const counts = sumOf(read);
  await deliveryObjects.putManifest(hour, counts);
  return counts.events;
}

/** Exports who was told of the events of the hours that the ledger is about to forget. */
export const exportDeliveryHours = (exporting: Exporting) =>
  exportHours({
    ...exporting,
    last: lastTold(exporting.now(), exporting.settings),
    days: Math.min(exporting.settings.ledgerDays, exporting.settings.journalDays),
    toldPattern,
    begun: exporting.journalHours.begun,
    look: exporting.deliveryObjects.look,
    exportPart: (hour, first, hasTime) => exportPart(hour, first, hasTime, exporting),
    conclude: (hour, parts) => conclude(hour, parts, exporting),
  });
