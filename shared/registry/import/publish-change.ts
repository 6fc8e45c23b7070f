import { publish } from '../../delivery/publish.ts';
import type { LineOfImport } from '../../domain/imports/decide-change.ts';
import type { Change } from '../../domain/imports/parse-change.ts';
import { nameUuid } from '../../domain/name-uuid.ts';
import type { EventType } from '../../domain/topics/event.ts';
import { type StoredTopic, uuidOfTopic } from '../../domain/topics/topic.ts';
import type { CurrentImport } from './apply-once.ts';
import type { ImportTools } from './import-tools.ts';

/** Returns the topic named in the `changesTopic` setting, if the topic exists. */
export const topicOfChanges = async ({ settings, topics }: ImportTools): Promise<StoredTopic | undefined> =>
  settings.changesTopic === '' ? undefined : topics.get(uuidOfTopic(settings.changesTopic));

/**
 * Publishes the event about a line's change, if the line requests this. The message id is derived from the line, so it
 * is the same if the line is processed again.
 */
export async function publishChange(
  change: Change,
  subject: EventType | undefined,
  persons: { readonly uin: string; readonly duplicates?: readonly string[] },
  { importId, line }: LineOfImport,
  { topic, tools }: CurrentImport,
): Promise<void> {
  if (!change.publish || subject === undefined || topic === undefined) return;
  const messageId = nameUuid('change', importId, String(line), topic.generation);
  const body = JSON.stringify({ source: change.source, ...persons });
  await publish(topic, { subject, contentType: 'application/json', body, messageId }, tools);
}
