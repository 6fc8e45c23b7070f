import { publish } from '../../delivery/publish.ts';
import type { LineOfImport } from '../../domain/imports/decide-change.ts';
import { nameUuid } from '../../domain/name-uuid.ts';
import type { EventType } from '../../domain/topics/event.ts';
import { type StoredTopic, uuidOfTopic } from '../../domain/topics/topic.ts';
import type { ImportTools } from './import-tools.ts';

/** Returns the topic named in the `changesTopic` setting, if the topic exists. */
export const topicOfChanges = async ({ settings, topics }: ImportTools): Promise<StoredTopic | undefined> =>
  settings.changesTopic === '' ? undefined : topics.get(uuidOfTopic(settings.changesTopic));

interface ChangeEvent {
  readonly source: string;
  readonly uin: string;
  readonly duplicates?: readonly string[];
}

/**
 * Publishes the event about a line's change. The message id is derived from the line, so it is the same if the line is
 * processed again.
 */
export async function publishChange(
  topic: StoredTopic,
  type: EventType,
  event: ChangeEvent,
  { importId, line }: LineOfImport,
  { deliveries, queues, newId, now, settings, onPublished }: ImportTools,
): Promise<void> {
  const messageId = nameUuid('change', importId, String(line), topic.generation);
  const published = { subject: type, contentType: 'application/json', body: JSON.stringify(event), messageId };
  await publish(topic, published, { deliveries, queues, newId, now, settings, onPublished });
}
