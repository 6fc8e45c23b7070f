import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import type { StoredTopic } from '../../shared/model/topics/topic.ts';
import { rowOf } from '../../shared/storage/subscriptions/rows.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';
import { aSubscription, aTopic } from './builders.ts';
import type { useTables } from './tables.ts';

const hourMs = 3_600_000;

/** Topics and subscriptions that are there before a test begins, and how they stand. */
export function storedIn({ dynamodb, tables, write, put }: ReturnType<typeof useTables>) {
  const { permissions } = subscriptions;
  /** The store of subscriptions, which nothing interferes with. */
  const subscriptionStore = () => ({
    ...permissions.ask(dynamodb.client, tables.subscriptions),
    ...permissions.confirm(dynamodb.client, tables.subscriptions),
    ...permissions.end(dynamodb.client, tables.subscriptions),
    ...permissions.deliver(dynamodb.client, tables.subscriptions),
  });
  return {
    subscriptionStore,
    /** A stored topic. */
    async newTopic(name?: string): Promise<StoredTopic> {
      const topic = aTopic(name === undefined ? {} : { name });
      await write('topics', topic);
      return topic;
    },
    /** Stored subscriptions of a topic, active since an hour unless said otherwise. */
    async subscribed(topic: StoredTopic, ...all: Partial<StoredSubscription>[]): Promise<StoredSubscription[]> {
      const hourAgo = Date.now() - hourMs;
      const made = all.map((one) => {
        const isActive = one.isActive ?? true;
        const since = { createdAt: hourAgo, ...(isActive ? { activeSince: hourAgo } : {}) };
        return aSubscription(topic, { ...since, ...one });
      });
      await put('subscriptions', ...made.map(rowOf));
      return made;
    },
    async subscription(uuid: string): Promise<StoredSubscription> {
      const [found] = await subscriptionStore().getMany([uuid]);
      if (found === undefined) throw new Error(`there is no subscription ${uuid}`);
      return found;
    },
  };
}
