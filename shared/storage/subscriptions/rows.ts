import type { PauseReason, StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { type Item, toItem } from '../dynamo.ts';

/** Returns the string that identifies a topic generation in the keys of both indexes. */
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
 * Returns the change that pauses a subscription. Pausing removes the subscription from the fan-out index and deletes
 * its open requests. Afterwards, only a new confirmation request can reactivate the subscription.
 */
export const pausing = (reason: PauseReason) => ({
  set: { isActive: false, pausedReason: reason, requests: {} },
  remove: ['activeTopic', 'activeSince'],
});
