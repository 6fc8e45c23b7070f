import { describeDelivery } from '../../domain/deliveries/delivery.ts';
import { inParts } from '../../domain/in-parts.ts';
import { lastExportableHour, nameOfPart, type PartOfHour } from '../../domain/journal/exported-hours.ts';
import { isFirstOfEntry, shards } from '../../domain/journal/journal-keys.ts';
import { memoized } from '../../domain/memoized.ts';
import type { messageDeliveries } from '../../storage/deliveries/message-deliveries.ts';
import type { deliveryObjects } from '../../storage/journal/exported-objects.ts';
import type { ExportedRow } from '../../storage/journal/journal-hours.ts';
import { type ExportTools, exportHours } from './export-hours.ts';

interface Exporting extends ExportTools {
  readonly messageDeliveries: ReturnType<(typeof messageDeliveries)['permissions']['read']>;
  readonly deliveryObjects: ReturnType<(typeof deliveryObjects)['permissions']['write']>;
  readonly settings: { readonly deliveryDays: number; readonly journalDays: number };
}

type ExportedEvent = Awaited<ReturnType<typeof eventsOf>>[number];

/** Yields the deliveries of an event as NDJSON, one page at a time. */
async function* linesOf(
  { shardBits, isKnown: _, ...event }: ExportedEvent,
  { messageDeliveries }: Exporting,
): AsyncGenerator<string, void> {
  const message = { messageId: event.messageId, timestamp: event.publishedAt };
  for await (const page of messageDeliveries.listByMessage(event.messageId, shardBits)) {
    const lines = page.flatMap(({ record, ...recipient }) => {
      const delivery = describeDelivery(message, record, { isActive: false }, false);
      const { state = 'unknown', attempts = [] } = delivery ?? {};
      if (delivery === undefined && recipient.task === undefined) return [];
      return `${JSON.stringify({ ...event, ...recipient, state, attempts })}\n`;
    });
    if (lines.length > 0) yield lines.join('');
  }
}

/** Exports the deliveries of an event. If there are no deliveries, returns false and writes no object. */
async function exportEvent(event: ExportedEvent, tools: Exporting): Promise<boolean> {
  const lines = linesOf(event, tools);
  const { value: first } = await lines.next();
  if (first === undefined) return false;
  async function* all(begin: string) {
    yield begin;
    yield* lines;
  }
  await tools.deliveryObjects.putEvent(event, all(first));
  return true;
}

/**
 * Returns each event in the given journal rows once.
 * @param seen the message ids from earlier pages; the function adds new ids, because the journal may contain an event
 * twice
 */
async function eventsOf(
  rows: readonly ExportedRow[],
  seen: Set<string>,
  { messageDeliveries }: Exporting,
  onError: (error: unknown) => void,
) {
  const first = rows.filter(({ event, moment, requestId }) => {
    if (event === undefined || !isFirstOfEntry(moment) || seen.has(requestId)) return false;
    seen.add(requestId);
    return true;
  });
  const ids = first.map(({ requestId }) => requestId);
  const shardBits = await messageDeliveries.shardBitsOf(ids, onError);
  return first.map(({ requestId: messageId, at: publishedAt, topic, event = '' }) => ({
    messageId,
    publishedAt,
    topic,
    event,
    shardBits: shardBits.get(messageId),
    // Whether the message's row still exists.
    isKnown: shardBits.has(messageId),
  }));
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
 * Exports the remaining events of a shard. Returns undefined if time runs out.
 * @param exportedIn returns the ids of the exported messages that were published in an hour
 */
async function exportShard(
  hour: string,
  shard: number,
  exportedIn: Exporting['deliveryObjects']['exportedMessages'],
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
    const there = await Promise.all(events.map(({ publishedAt }) => exportedIn(publishedAt.slice(0, 13))));
    const due = events.filter(({ messageId }, index) => !there[index]?.has(messageId));
    counts.events += events.length;
    counts.objects += events.length - due.length;
    counts.forgotten += events.filter(({ isKnown }) => !isKnown).length;
    const isSmall = ({ shardBits = smallBits }: ExportedEvent): boolean => shardBits <= smallBits;
    const large = due.filter((one) => !isSmall(one)).map((one) => [one]);
    for (const some of [...inParts(due.filter(isSmall), sideBySide), ...large]) {
      if (!hasTime()) return undefined;
      const written = await Promise.all(some.map((event) => exportEvent(event, exporting)));
      counts.objects += written.filter(Boolean).length;
    }
  }
  return counts;
}

/** Exports the events of an hour, beginning with the given shard. Stores the progress if time runs out. */
async function exportPart(hour: string, first: number, hasTime: () => boolean, exporting: Exporting) {
  // Lists the exported objects of each publication hour only once.
  const exportedIn = memoized(exporting.deliveryObjects.exportedMessages);
  const all: Counts[] = [];
  for (const shard of shards.slice(first)) {
    const counts = hasTime() ? await exportShard(hour, shard, exportedIn, hasTime, exporting) : undefined;
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
