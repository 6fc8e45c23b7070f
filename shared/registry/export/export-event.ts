import { describeDelivery } from '../../domain/deliveries/delivery.ts';
import { isFirstOfEntry } from '../../domain/journal/journal-keys.ts';
import type { messageDeliveries } from '../../storage/deliveries/message-deliveries.ts';
import type { deliveryObjects } from '../../storage/journal/exported-objects.ts';
import type { ExportedRow } from '../../storage/journal/journal-hours.ts';

export interface EventTools {
  readonly messageDeliveries: ReturnType<(typeof messageDeliveries)['permissions']['read']>;
  readonly deliveryObjects: ReturnType<(typeof deliveryObjects)['permissions']['write']>;
}

export interface ExportedEvent {
  readonly messageId: string;
  readonly publishedAt: string;
  readonly topic: string | undefined;
  readonly event: string;
  readonly shardBits: number | undefined;
}

/** Yields the deliveries of an event as NDJSON, one page at a time. */
async function* linesOf(
  { shardBits, ...event }: ExportedEvent,
  { messageDeliveries }: EventTools,
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
export async function exportEvent(event: ExportedEvent, tools: EventTools): Promise<boolean> {
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
export async function eventsOf(
  rows: readonly ExportedRow[],
  seen: Set<string>,
  { messageDeliveries }: EventTools,
  onError: (error: unknown) => void,
): Promise<(ExportedEvent & { isKnown: boolean })[]> {
  const first = rows.filter(({ event, moment, requestId }) => {
    if (event === undefined || !isFirstOfEntry(moment) || seen.has(requestId)) return false;
    seen.add(requestId);
    return true;
  });
  const ids = first.map(({ requestId }) => requestId);
  const shardBits = await messageDeliveries.shardBitsOf(ids, onError);
  return first.map(({ requestId: messageId, at: publishedAt, topic, event = '' }) => {
    return {
      messageId,
      publishedAt,
      topic,
      event,
      shardBits: shardBits.get(messageId),
      isKnown: shardBits.has(messageId),
    };
  });
}
