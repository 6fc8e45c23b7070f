import { inParts } from '../../domain/in-parts.ts';
import { lastExportableHour, nameOfPart, type PartOfHour } from '../../domain/journal/exported-hours.ts';
import { shards } from '../../domain/journal/journal-keys.ts';
import { memoized } from '../../domain/memoized.ts';
import { type EventTools, type ExportedEvent, eventsOf, exportEvent } from './export-event.ts';
import { type ExportTools, exportHours } from './export-hours.ts';

interface Exporting extends EventTools, ExportTools {
  readonly settings: { readonly deliveryDays: number; readonly journalDays: number };
}

// A message with up to 32 shards (5 bits) has a few hundred deliveries, so several such messages are exported in
// parallel. A larger message is exported alone, because its export can need all the memory of a run.
const smallBits = 5;
const sideBySide = 16;

const counted = ['events', 'objects', 'forgotten', 'unreadable'] as const;
const detailsPattern = new RegExp(`^\\d+(-\\d+){${counted.length - 1}}\\.json$`);
type Counts = Record<(typeof counted)[number], number>;

const sumOf = (all: readonly Counts[]): Counts =>
  Object.fromEntries(counted.map((name) => [name, all.reduce((sum, one) => sum + one[name], 0)])) as Counts;

/**
 * Returns a function that checks whether an event has been exported. The returned function lists the exported objects
 * of each publication hour only once.
 */
function existingObjects({ deliveryObjects }: Exporting) {
  const messagesOf = memoized(deliveryObjects.exportedMessages);
  return async ({ messageId, publishedAt }: ExportedEvent): Promise<boolean> =>
    (await messagesOf(publishedAt.slice(0, 13))).has(messageId);
}

/** Exports the remaining events of a shard. Returns undefined if time runs out. */
async function exportShard(
  hour: string,
  shard: number,
  isThere: ReturnType<typeof existingObjects>,
  hasTime: () => boolean,
  exporting: Exporting,
): Promise<Counts | undefined> {
  const counts = sumOf([]);
  const onError = (error: unknown): void => {
    counts.unreadable++;
    exporting.onError(error);
  };
  const seen = new Set<string>();
  for await (const { rows } of exporting.journalHours.ofShard(hour, shard, onError)) {
    const events = await eventsOf(rows, seen, exporting, onError);
    const there = await Promise.all(events.map(isThere));
    const due = events.filter((_, index) => !there[index]);
    counts.events += events.length;
    counts.objects += events.length - due.length;
    counts.forgotten += events.filter(({ isKnown }) => !isKnown).length;
    const isSmall = ({ shardBits = smallBits }: ExportedEvent): boolean => shardBits <= smallBits;
    const large = due.filter((one) => !isSmall(one)).map((one) => [one]);
    for (const some of [...inParts(due.filter(isSmall), sideBySide), ...large]) {
      if (!hasTime()) return undefined;
      const written = await Promise.all(some.map(({ isKnown: _, ...event }) => exportEvent(event, exporting)));
      counts.objects += written.filter(Boolean).length;
    }
  }
  return counts;
}

/** Exports the events of an hour, beginning with the given shard. Stores the progress if time runs out. */
async function exportPart(hour: string, first: number, hasTime: () => boolean, exporting: Exporting) {
  const isThere = existingObjects(exporting);
  const all: Counts[] = [];
  for (const shard of shards.slice(first)) {
    const counts = hasTime() ? await exportShard(hour, shard, isThere, hasTime, exporting) : undefined;
    if (counts === undefined) break;
    all.push(counts);
  }
  const counts = sumOf(all);
  const last = first + all.length - 1;
  const part = { first, last, details: counted.map((name) => String(counts[name])) };
  const isAmid = all.length > 0 && last < shards.length - 1;
  if (isAmid)
    await exporting.deliveryObjects.put(`${nameOfPart(hour, part)}.json`, Buffer.from(JSON.stringify(counts)));
  return part;
}

/** Writes the manifest of a complete hour, with the totals of its parts. Returns the number of events. */
async function complete(hour: string, parts: readonly PartOfHour[], { deliveryObjects }: Exporting): Promise<number> {
  const read = parts.map(
    ({ details }) => Object.fromEntries(counted.map((name, at) => [name, Number(details[at])])) as Counts,
  );
  const counts = sumOf(read);
  await deliveryObjects.putManifest(hour, counts);
  return counts.events;
}

export const exportDeliveryHours = (exporting: Exporting) =>
  exportHours(exporting, {
    lastHour: lastExportableHour(exporting.now(), exporting.settings),
    days: Math.min(exporting.settings.deliveryDays, exporting.settings.journalDays),
    detailsPattern,
    list: exporting.deliveryObjects.list,
    exportPart: (hour, first, hasTime) => exportPart(hour, first, hasTime, exporting),
    complete: (hour, parts) => complete(hour, parts, exporting),
  });
