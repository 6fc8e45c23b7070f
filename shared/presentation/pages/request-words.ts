import { changedParts } from '../../domain/subscriptions/confirmation-requests.ts';
import type { ConfirmationRequest } from '../../domain/subscriptions/subscription.ts';
import { shownTopic, statusTopicName } from '../../domain/topics/topic.ts';
import type { MailTexts } from '../languages/catalogues.ts';

type Texts = Pick<MailTexts, 'writing' | 'request'>;

/** Returns the title or the name of a topic. The name of the reserved topic is translated. */
export const topicWords = ({ request }: Pick<Texts, 'request'>, topic: Parameters<typeof shownTopic>[0]): string =>
  topic.topicName === statusTopicName ? request.statusTopic : shownTopic(topic);

/** Explains to the recipient what would change if they confirmed the request. */
export function consequence(
  { writing, request: texts }: Texts,
  stored: Parameters<typeof changedParts>[0],
  request: ConfirmationRequest,
): string {
  if (!stored.isActive) return texts.begins;
  const changes = changedParts(stored, request).map((part) => texts.changes[part]);
  return changes.length === 0 ? texts.repeats : texts.replaces(writing.listed(changes));
}
