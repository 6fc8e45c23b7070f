import type { ActiveSubscription } from '../../domain/deliveries/shards.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import type { Page, PageRequest } from '../../domain/row-page.ts';
import { isExpired } from '../../domain/subscriptions/confirmation-requests.ts';
import { protocols, type StoredSubscription, storedSubscription } from '../../domain/subscriptions/subscription.ts';
import { type DynamoTable, type Item, queryPages, readRow, scanPage, toItem } from '../dynamo.ts';

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

export const read = (table: DynamoTable) => ({
  /** Returns a subscription, or undefined if it does not exist at `now` (epoch milliseconds). */
  async get(uuid: string, now: number): Promise<StoredSubscription | undefined> {
    const stored = await readRow(storedSubscription, table, key(uuid));
    return stored && isExpired(stored, now) ? undefined : stored;
  },
});

export const list = (table: DynamoTable) => ({
  /** Returns a page of the subscriptions at `now` (epoch milliseconds). A page may have fewer rows than requested. */
  async list(page: PageRequest, now: number): Promise<Page<StoredSubscription>> {
    const { values, cursor } = await scanPage(table, storedSubscription, page);
    return { values: values.filter((one) => !isExpired(one, now)), cursor };
  },
});

export const listActive = (table: DynamoTable) => ({
  /**
   * Lists the active subscriptions of one topic generation whose uuids are between `first` and `last`, in ascending
   * order. A page has at most 1 MB and at most `pageSize` rows.
   */
  async *listActive(
    topic: { topicUuid: string; generation: string },
    { first, last }: { first: string; last: string },
    pageSize?: number,
  ): AsyncGenerator<ActiveSubscription[]> {
    const query = {
      IndexName: 'activeByTopic',
      ProjectionExpression: '#uuid, protocol, activeSince, subjects',
      KeyConditionExpression: 'activeTopic = :generation AND #uuid BETWEEN :first AND :last',
      ExpressionAttributeNames: { '#uuid': 'uuid' },
      ExpressionAttributeValues: toItem({ ':generation': topicGeneration(topic), ':first': first, ':last': last }),
    };
    for await (const items of queryPages(table, query, { pageSize })) {
      yield items.map((item) => {
        const protocol = protocols.find((one) => one === item.protocol?.S);
        const uuid = item.uuid?.S;
        if (protocol === undefined || uuid === undefined)
          throw new InternalError('incompleteIndex', { index: 'activeByTopic', topic: topic.topicUuid });
        const subjects = (item.subjects?.L ?? []).flatMap(({ S }) => S ?? []);
        return { uuid, protocol, activeSince: Number(item.activeSince?.N ?? 0), subjects };
      });
    }
  },
});
