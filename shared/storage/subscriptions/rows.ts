import type { PauseReason, StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { type Item, toItem } from '../dynamo.ts';

/** One generation of a topic; a key of both indexes. */
export const topicGeneration = (topic: { topicUuid: string; generation: string }): string =>
  `${topic.topicUuid}#${topic.generation}`;

/** The item of a subscription, as the table keeps it. */
export const rowOf = (subscription: StoredSubscription): Item => {
  const generation = topicGeneration(subscription);
  return toItem({
    ...subscription,
    topicGeneration: generation,
    activeTopic: subscription.isActive ? generation : undefined,
  });
};

export const key = (uuid: string): Item => ({ uuid: { S: uuid } });

/**
 * The change that pauses: the subscription leaves the index that fan-out reads, so that nothing is delivered to it until it
 * is subscribed again and confirmed. Its tokens end with it: subscribing again sends a new confirmation, and only that one
 * confirms.
 */
export const pausing = (reason: PauseReason) => ({
  set: { isActive: false, pausedReason: reason, requests: {} },
  remove: ['activeTopic', 'activeSince'],
});
