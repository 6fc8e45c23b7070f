import { describeDelivery } from '../../domain/deliveries/describe-delivery.ts';
import { inParts } from '../../domain/in-parts.ts';
import { lastTold } from '../../domain/journal/exported-hours.ts';
import { isFirstOfEntry } from '../../domain/journal/journal-keys.ts';
import type { told } from '../deliveries/told.ts';
import type { deliveryObjects } from './delivery-objects.ts';
import { exportHours, type Hours } from './export-hours.ts';
import type { journalHours } from './journal-hours.ts';
import type { ExportedRow } from './row-schemas.ts';

interface Exporting extends Pick<Hours, 'now' | 'onOldest' | 'onFault'> {
  readonly journalHours: ReturnType<(typeof journalHours)['permissions']['read']>;
  readonly told: ReturnType<(typeof told)['permissions']['read']>;
  readonly deliveryObjects: ReturnType<(typeof deliveryObjects)['permissions']['write']>;
  readonly settings: { readonly ledgerDays: number; readonly journalDays: number };
}

interface Event {
  readonly messageId: string;
  readonly publishedAt: string;
  readonly topic: string | undefined;
  readonly event: string;
  readonly bits: number | undefined;
}

// Messages of one slice of the ledger, which are for some hundreds, are exported side by side; a larger one takes a run's memory.
const smallBits = 5;
const sideBySide = 16;

/** Who was told of an event, a page of the ledger at a time: NDJSON. */
async function* linesOf({ bits, ...event }: Event, { told }: Exporting): AsyncGenerator<string, void> {
  const message = { messageId: event.messageId, timestamp: event.publishedAt };
  for await (const page of told.ofMessage(event.messageId, bits)) {
    const lines = page.flatMap(({ known, ...whom }) => {
      const delivery = describeDelivery(message, known, { isActive: false }, false);
      const { state = 'unknown', attempts = [] } = delivery ?? {};
      if (delivery === undefined && whom.task === undefined) return [];
      return `${JSON.stringify({ ...event, ...whom, state, attempts })}\n`;
    });
    if (lines.length > 0) yield lines.join('');
  }
}

/** Answers whether anybody was told: where nobody was, there is no object. */
async function exportEvent(event: Event, exporting: Exporting): Promise<boolean> {
  const lines = linesOf(event, exporting);
  const { value: first } = await lines.next();
  if (first === undefined) return false;
  async function* all(begin: string) {
    yield begin;
    yield* lines;
  }
  await exporting.deliveryObjects.putEvent(event, all(first));
  return true;
}

/** The events of some rows of the journal, each once, with how the ledger has cut them. */
async function eventsOf(
  rows: readonly ExportedRow[],
  { told }: Exporting,
  onFault: Exporting['onFault'],
): Promise<(Event & { isKnown: boolean })[]> {
  const first = rows.filter(({ event, moment }) => event !== undefined && isFirstOfEntry(moment));
  const ids = first.map(({ requestId }) => requestId);
  const bits = await told.bitsOf(ids, onFault);
  return first.map(({ requestId: messageId, at: publishedAt, topic, event = '' }) => {
    return { messageId, publishedAt, topic, event, bits: bits.get(messageId), isKnown: bits.has(messageId) };
  });
}

/** Exports who was told of the events of an hour; what a run before has finished of it is left as it is. */
async function exportHour(hour: string, exporting: Exporting, hasTime: () => boolean): Promise<number | undefined> {
  const { journalHours, deliveryObjects } = exporting;
  const done = await deliveryObjects.doneOf(hour);
  const counts = { events: 0, objects: 0, forgotten: 0, unreadable: 0 };
  const onFault = (error: unknown): void => {
    counts.unreadable++;
    exporting.onFault(error);
  };
  for await (const { rows } of journalHours.ofHour(hour, onFault)) {
    const events = await eventsOf(rows, exporting, onFault);
    const due = events.filter(({ messageId }) => !done.has(messageId));
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
  await deliveryObjects.putManifest(hour, { hour: `${hour}:00:00Z`, ...counts });
  return counts.events;
}

/** Exports who was told of the events of the hours that the ledger is about to forget. */
export const exportDeliveryHours = (exporting: Exporting) =>
  exportHours({
    ...exporting,
    last: lastTold(exporting.now(), exporting.settings),
    days: Math.min(exporting.settings.ledgerDays, exporting.settings.journalDays),
    begun: exporting.journalHours.begun,
    look: exporting.deliveryObjects.look,
    exportHour: (hour, hasTime) => exportHour(hour, exporting, hasTime),
  });
