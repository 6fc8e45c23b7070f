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
/** Until everything that was sent is complete and the reconciliation is over. */
export const settledMs = 15 * minuteMs;

/** One way to call an operation. */
export interface Scene {
  /** What distinguishes it, for the table. */
  readonly of?: string;
  readonly given: Given | ((number: number) => Given);
  readonly asked?: number;
  /** Milliseconds during which functions that run afterwards count as well. */
  readonly followsMs?: number;
}

interface Subscribers {
  /** They received their confirmation request a minute ago. */
  readonly isPending?: boolean;
  readonly protocol?: StoredSubscription['protocol'];
}

/** The stage on which scenes are prepared. */
export interface Stage {
  readonly world: World;
  /**
   * Writes a number of subscribers directly into the table: confirmed a month ago, by http, unless specified otherwise.
   */
  readonly subscribers: (topic: StoredTopic, count: number, how?: Subscribers) => readonly StoredSubscription[];
  /** Writes a number of topics directly into the table. */
  readonly topics: (count: number) => readonly [StoredTopic, ...StoredTopic[]];
  /** Calls another operation during preparation and returns the body. */
  readonly ask: (endpoint: Endpoint, given: Given) => Promise<string>;
}

/** Prepares an operation and returns the ways to call it. */
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
 * Returns a stage in a world.
 * @param functions the functions that scenes call during preparation
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
