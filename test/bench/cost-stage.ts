import type { Endpoint } from '../../shared/contract/endpoint.ts';
import type { TableName } from '../../shared/contract/tables.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { hashToken } from '../../shared/domain/subscriptions/subscription-token.ts';
import type { StoredTopic } from '../../shared/domain/topics/topic.ts';
import { type Item, toItem } from '../../shared/storage/dynamo.ts';
import { rowOf } from '../../shared/storage/subscriptions/rows.ts';
import { aRequest, aSubscription, aTopic, tokenOf } from '../harness/builders.ts';
import { apiEvent } from '../harness/lambda-events.ts';
import type { FunctionFacts } from '../simulation/lambda/platform.ts';
import { addressOf, mailboxOf } from '../simulation/scale/receivers.ts';
import { generation } from '../simulation/scale/seeding.ts';
import { startAt, type World } from '../simulation/scale/world.ts';
import { ask, type Given } from './cost-asking.ts';

export const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** The time after which all deliveries and their reconciliation have finished. */
export const settledMs = 15 * minuteMs;

/** An API request whose cost is measured. */
export interface Scene {
  /** The variant of the request, shown as a label in the table. */
  readonly of?: string;
  readonly given: Given | ((number: number) => Given);
  readonly asked?: number;
  /** The wait after the requests, in milliseconds. The functions that the requests trigger are also counted. */
  readonly followsMs?: number;
}

interface Subscribers {
  /** If true, the subscribers received confirmation requests a minute ago and have not yet confirmed them. */
  readonly isPending?: boolean;
  readonly protocol?: StoredSubscription['protocol'];
}

/** The tools that prepare data for measured requests. */
export interface Stage {
  readonly world: World;
  /**
   * Writes subscribers to the table. By default, each subscriber uses http and confirmed the subscription a month ago.
   */
  readonly subscribers: (topic: StoredTopic, count: number, how?: Subscribers) => readonly StoredSubscription[];
  /** Writes topics directly into the table. */
  readonly topics: (count: number) => readonly [StoredTopic, ...StoredTopic[]];
  /** Calls an operation and returns the body of its response. */
  readonly ask: (endpoint: Endpoint, given: Given) => Promise<string>;
}

/** For each operation, a function that prepares data and returns the requests to measure. */
export type Scenes = Readonly<Record<string, (stage: Stage) => Promise<readonly Scene[]>>>;

const since = startAt - 30 * dayMs;
const confirmed = { createdAt: since, confirmedAt: since, activeSince: since, requests: {} };
const pending = (uuid: string): Partial<StoredSubscription> => ({
  isActive: false,
  createdAt: startAt - minuteMs,
  requests: {
    [hashToken(tokenOf(uuid))]: aRequest({ requestedAt: startAt - minuteMs, expiresAt: startAt + 3 * dayMs }),
  },
});

/**
 * Returns the tools that prepare data for measured requests in a simulation.
 * @param functions returns the deployed function of an endpoint
 */
export function stageOf(world: World, functions: (endpoint: Endpoint) => FunctionFacts): Stage {
  const put = (name: TableName, after: Item): void => {
    const table = world.dynamodb.tables.table(name);
    table.commit({ table, key: table.keyOf(after, false), before: undefined, after });
  };
  const topicAt = (number: number): StoredTopic => {
    const topic = aTopic({ name: `topic ${number}`, generation });
    put('topics', toItem(topic));
    return topic;
  };
  return {
    world,
    topics: (count) => [topicAt(0), ...Array.from({ length: count - 1 }, (_, index) => topicAt(index + 1))],
    subscribers: (topic, count, { isPending = false, protocol = 'http' } = {}) =>
      Array.from({ length: count }, (_, number) => {
        const address = protocol === 'http' ? addressOf(number) : mailboxOf(number);
        const one = aSubscription(topic, { protocol, address, ...confirmed });
        const subscription = isPending ? aSubscription(topic, { protocol, address, ...pending(one.uuid) }) : one;
        put('subscriptions', rowOf(subscription));
        return subscription;
      }),
    ask: async (endpoint, given) => (await ask(world, functions(endpoint), apiEvent(given))).body,
  };
}
