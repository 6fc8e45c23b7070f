import { publicationOf } from '../delivery/engine/publication-of.ts';
import { ledgerExpiry } from '../domain/deliveries/times.ts';
import type { LineOfImport } from '../domain/imports/last-change.ts';
import { isoTime } from '../domain/iso-time.ts';
import { nameUuid } from '../domain/name-uuid.ts';
import type { EventType } from '../domain/topics/event.ts';
import { uuidOfTopic } from '../domain/topics/topic-uuid.ts';
import type { StoredTopic } from '../model/topics/topic.ts';
import type { ImportTools } from '../registry/import/import-tools.ts';

/** The topic to which changes are published; undefined where there is none. */
export const topicOfChanges = async ({ settings, topics }: ImportTools): Promise<StoredTopic | undefined> =>
  settings.changesTopic === '' ? undefined : topics.get(uuidOfTopic(settings.changesTopic));

/** What subscribers are told of a change; without `duplicates` but of a merge. */
interface Event {
  readonly source: string;
  readonly uin: string;
  readonly duplicates?: readonly string[];
}

/**
 * Publishes the event of a line. The line's place makes the message's id: again it is the same message, which reaches each
 * subscriber once.
 */
export async function publishChange(
  topic: StoredTopic,
  type: EventType,
  event: Event,
  { importId, line }: LineOfImport,
  { ledger, queues, newId, now, settings, onPublished }: ImportTools,
): Promise<void> {
  const publicationId = newId();
  const notification = {
    messageId: nameUuid('change', importId, String(line), topic.generation),
    topicUuid: topic.uuid,
    topicName: topic.name,
    generation: topic.generation,
    subject: type,
    contentType: 'application/json',
    bodyBase64: Buffer.from(JSON.stringify(event)).toString('base64'),
    timestamp: isoTime(now()),
  };
  const expiresAt = ledgerExpiry(now(), settings.ledgerDays);
  // Only the ledger can say whether it was published, so it comes first; what the queue then misses is sent when the line comes again.
  const earlier = await ledger.open(notification, publicationId, now(), expiresAt);
  if (earlier?.bits !== undefined) return;
  const payload = earlier === undefined ? { publicationId, notification } : publicationOf(earlier);
  await queues.fanOut.send({ payload, group: topic.uuid });
  if (earlier === undefined) onPublished();
}
