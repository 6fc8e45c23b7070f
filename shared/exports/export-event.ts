import { describeDelivery } from '../domain/deliveries/delivery.ts';
import { isFirstOfEntry } from '../domain/journal/journal-keys.ts';
import type { told } from '../storage/deliveries/told.ts';
import type { deliveryObjects } from '../storage/journal/delivery-objects.ts';
import type { ExportedRow } from '../storage/journal/row-schemas.ts';

/** What knows who was told of an event, and takes what is exported of that. */
export interface EventTools {
  readonly told: ReturnType<(typeof told)['permissions']['read']>;
  readonly deliveryObjects: ReturnType<(typeof deliveryObjects)['permissions']['write']>;
}

/** An event as the journal tells of it, with by how many bits the ledger has cut its message. */
export interface Event {
  readonly messageId: string;
  readonly publishedAt: string;
  readonly topic: string | undefined;
  readonly event: string;
  readonly bits: number | undefined;
}

/** Who was told of an event, a page of the ledger at a time: NDJSON. */
async function* linesOf({ bits, ...event }: Event, { told }: EventTools): AsyncGenerator<string, void> {
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

/** Exports who was told of an event. Answers whether anybody was: where nobody was, there is no object. */
export async function exportEvent(event: Event, tools: EventTools): Promise<boolean> {
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
 * The events of some rows of the journal, each once, with how the ledger has cut them.
 * @param seen messages of the same shard that were answered before, to which it adds these: one may be noted twice
 */
export async function eventsOf(
  rows: readonly ExportedRow[],
  seen: Set<string>,
  { told }: EventTools,
  onFault: (error: unknown) => void,
): Promise<(Event & { isKnown: boolean })[]> {
  const first = rows.filter(({ event, moment, requestId }) => {
    if (event === undefined || !isFirstOfEntry(moment) || seen.has(requestId)) return false;
    seen.add(requestId);
    return true;
  });
  const ids = first.map(({ requestId }) => requestId);
  const bits = await told.bitsOf(ids, onFault);
  return first.map(({ requestId: messageId, at: publishedAt, topic, event = '' }) => {
    return { messageId, publishedAt, topic, event, bits: bits.get(messageId), isKnown: bits.has(messageId) };
  });
}
