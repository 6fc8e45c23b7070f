import { beforeEach } from 'vitest';
import { tables as contract, type TableName } from '../../shared/contract/tables.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import type { StoredTopic } from '../../shared/domain/topics/topic.ts';
import { rowOf } from '../../shared/storage/subscriptions/rows.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';
import { aSubscription, aTopic } from './builders.ts';
import { useQueues } from './queues.ts';
import { useTables } from './tables.ts';
import type { GivenSettings } from './variables.ts';

const hourMs = 3_600_000;

/** Returns functions with which tests store and read topics and subscriptions. */
function createStoredData({ dynamodb, tables, write, put }: ReturnType<typeof useTables>) {
  const { permissions } = subscriptions;
  /** The subscription store. Injected faults do not affect its calls. */
  const subscriptionStore = () => ({
    ...permissions.requestConfirmation(dynamodb.client, tables.subscriptions),
    ...permissions.confirm(dynamodb.client, tables.subscriptions),
    ...permissions.remove(dynamodb.client, tables.subscriptions),
    ...permissions.deliver(dynamodb.client, tables.subscriptions),
  });
  return {
    subscriptionStore,
    /** Stores a topic. */
    async newTopic(name?: string): Promise<StoredTopic> {
      const topic = aTopic(name === undefined ? {} : { name });
      await write('topics', topic);
      return topic;
    },
    /** Stores subscriptions to a topic. By default, the subscriptions have been active for one hour. */
    async subscribed<const All extends Partial<StoredSubscription>[]>(topic: StoredTopic, ...all: All) {
      const hourAgo = Date.now() - hourMs;
      const made = all.map((one) => {
        const isActive = one.isActive ?? true;
        const since = { createdAt: hourAgo, ...(isActive ? { activeSince: hourAgo } : {}) };
        return aSubscription(topic, { ...since, ...one });
      });
      await put('subscriptions', ...made.map(rowOf));
      return made as { [Place in keyof All]: StoredSubscription };
    },
    async subscription(uuid: string): Promise<StoredSubscription> {
      const [found] = await subscriptionStore().getMany([uuid]);
      if (found === undefined) throw new Error(`no such subscription: ${uuid}`);
      return found;
    },
  };
}

export interface StoresOptions {
  /** The settings whose values differ from the defaults. */
  readonly settings?: GivenSettings;
  /** The tables to create (default: all tables in the contract). */
  readonly tables?: readonly TableName[];
  /** The tables whose rows are not deleted between tests. */
  readonly kept?: readonly TableName[];
  /** Called before each test. */
  readonly onReset?: () => void;
}

/** Creates the tables and queues of the contract for a test file, and empties them before each test. */
export function useStores({
  settings = {},
  tables = Object.keys(contract) as TableName[],
  kept = [],
  onReset = () => {},
}: StoresOptions) {
  const inTables = useTables(tables);
  const inQueues = useQueues(settings);

  async function reset(): Promise<void> {
    onReset();
    inQueues.emptyQueues();
    for (const name of tables) if (!kept.includes(name)) await inTables.empty(name);
  }
  beforeEach(reset);

  return { ...inTables, ...inQueues, ...createStoredData(inTables), reset };
}
