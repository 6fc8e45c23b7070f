import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type StoredSubscription, storedSubscription } from '../../domain/subscriptions/subscription.ts';
import { fromItem, getItem, type Item, toItem } from '../dynamo.ts';

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

/** Reads a subscription consistently. The subscription may have expired. */
export async function getStored(
  client: DynamoDBClient,
  table: string,
  uuid: string,
): Promise<StoredSubscription | undefined> {
  const row = await getItem(client, table, key(uuid));
  return row && fromItem(storedSubscription, row);
}
