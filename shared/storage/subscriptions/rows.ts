import type { PauseReason, StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { type Item, toItem } from '../dynamo.ts';

/** Identifies one generation of a topic, in the keys of both indexes. */
export const topicGeneration = (topic: { topicUuid: string; generation: string }): string =>
  `${topic.topicUuid}#${topic.generation}`;

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
 * The change that pauses a subscription. It leaves the index that fan-out reads, so it receives nothing until it is
 * confirmed again. Its open requests are removed, so only a new confirmation can reactivate it.
 */
export const pausing = (reason: PauseReason) => ({
  set: { isActive: false, pausedReason: reason, requests: {} },
  remove: ['activeTopic', 'activeSince'],
});
