import type { StoredSubscription } from '../../model/subscriptions/subscription.ts';
import { type Item, toItem } from '../dynamo.ts';

/** One life of a topic; the partition of both indexes. */
export const topicGeneration = (topic: { topicUuid: string; generation: string }): string =>
  `${topic.topicUuid}#${topic.generation}`;

export const rowOf = (subscription: StoredSubscription): Item => {
  const life = topicGeneration(subscription);
  return toItem({ ...subscription, topicGeneration: life, activeTopic: subscription.isActive ? life : undefined });
};

export const key = (uuid: string): Item => ({ uuid: { S: uuid } });
