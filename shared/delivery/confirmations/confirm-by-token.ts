import { slotsOf } from '../../domain/subscriptions/confirmation-requests.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { hashToken, subscriptionOfToken } from '../../domain/subscriptions/subscription-token.ts';
import { statusTopicUuid } from '../../domain/topics/topic.ts';
import type { Tools } from '../tools.ts';

/**
 * Confirms the subscription that a token belongs to, and releases the limit slots that the subscription's requests
 * hold. Returns undefined if the token is invalid or the topic was deleted. The subscription store explains `by`.
 */
export async function confirmByToken(
  token: string,
  { subscriptions, topics, limits, now }: Tools<'subscriptions:confirm' | 'topics:read' | 'limits:releaseSlot'>,
  by?: string,
): Promise<StoredSubscription | undefined> {
  const uuid = subscriptionOfToken(token);
  const confirmed = uuid === undefined ? undefined : await subscriptions.confirm(uuid, hashToken(token), now(), by);
  if (confirmed === undefined) return undefined;
  const releases = slotsOf(confirmed).map((slot) => limits.releaseSlot(slot));
  // Read the topic after activating the subscription, so that a later deletion of the topic finds the subscription.
  const [topic] = await Promise.all([topics.get(confirmed.topicUuid), ...releases]);
  // The status topic cannot be deleted, and its generation is different for each client.
  if (confirmed.topicUuid === statusTopicUuid || topic?.generation === confirmed.generation) return confirmed;
  await subscriptions.removeConfirmed(confirmed);
  return undefined;
}
