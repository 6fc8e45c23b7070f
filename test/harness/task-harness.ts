import { afterAll, beforeEach } from 'vitest';
import type { DeliveryContext } from '../../shared/delivery/delivery-context.ts';
import { deliverTask } from '../../shared/delivery/engine/deliver-task.ts';
import { dayMs } from '../../shared/domain/day-ms.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import type { LedgerOutcome } from '../../shared/model/deliveries/outcome.ts';
import type { DeliveryTask, WaitingTask } from '../../shared/model/deliveries/task.ts';
import type { StoredTopic } from '../../shared/model/topics/topic.ts';
import { keptOutcomes } from '../../shared/storage/deliveries/kept-outcomes.ts';
import { ledger as ledgerStore } from '../../shared/storage/deliveries/ledger.ts';
import { queues as queueStore } from '../../shared/storage/queues/store.ts';
import { subscriptions as subscriptionStore } from '../../shared/storage/subscriptions/subscriptions.ts';
import { aSubscription, aTopic, noon } from './builders.ts';
import { useClock } from './clock.ts';
import { leaseMs } from './deliveries.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { aSender } from './sender.ts';
import { useStores } from './stores.ts';

interface Failure {
  readonly messageId: string;
  readonly uuid: string;
  readonly outcome: Parameters<DeliveryContext['onFailed']>[2];
}

interface Attempt {
  readonly messageId: string;
  readonly uuid: string;
  readonly attempt: number;
  readonly class: string;
}

/** Single delivery tasks: the engine with real stores and queues, the http sender, and a real receiver. */
export function useTaskHarness() {
  const stores = useStores({ tables: ['subscriptions', 'deliveries', 'journal'], onReset: () => clock.moveTo(noon) });
  const clock = useClock();
  const sender = aSender();
  afterAll(() => sender.close());
  const topic: StoredTopic = aTopic({ name: 'CR' });

  /** What begins anew with each test. */
  const state = {
    engine: {} as DeliveryContext,
    receiver: {} as Receiver,
    /** What the engine reported as failed for good. */
    failures: [] as Failure[],
    /** The attempts that the engine told of. */
    attempts: [] as Attempt[],
  };

  function newEngine(): DeliveryContext {
    const { dynamodb, sqs, tables, queues } = stores;
    return {
      subscriptions: subscriptionStore.permissions.deliver(dynamodb.client, tables.subscriptions),
      ledger: ledgerStore.permissions.deliver(dynamodb.client, tables.deliveries),
      retry: queueStore.permissions.retry(sqs.client, queues.retry).retry,
      laterLane: queueStore.permissions.slow(sqs.client, queues.slow).slow,
      sender,
      now: Date.now,
      newId: () => crypto.randomUUID(),
      jitter: () => 0,
      afterMs: () => () => {},
      compose: { baseUrl: 'https://registry.example', deliveryFormat: 'raw' },
      bodyOf: stores.bodies().bodyOf,
      messages: stores.bodies(),
      leaseMs,
      timeLeftMs: () => 25_000,
      attemptMs: 20_000,
      ledgerDays: 30,
      hopSeconds: 900,
      pauseAfterMs: 5 * dayMs,
      onFailed: (messageId, uuid, outcome) => void state.failures.push({ messageId, uuid, outcome }),
      onAttempted: (messageId, uuid, attempt, { class: kind }) =>
        void state.attempts.push({ messageId, uuid, attempt, class: kind }),
    };
  }
  beforeEach(async () => {
    state.failures = [];
    state.attempts = [];
    state.receiver = await startReceiver();
    state.engine = newEngine();
  });

  const ledger = () => stores.rows('deliveries');
  return Object.assign(state, stores, clock, {
    topic,
    ledger,
    /** A stored subscription at the receiver, each at a path of its own. */
    async subscriber(given: Partial<StoredSubscription> = {}): Promise<StoredSubscription> {
      const address = `${state.receiver.url}/${crypto.randomUUID()}`;
      const subscription = aSubscription(topic, { address, activeSince: noon, ...given });
      await stores.subscriptionStore().ensure(subscription);
      return subscription;
    },
    /** By subscription, what the tasks for several say. */
    outcomes: async (): Promise<Record<string, LedgerOutcome>> =>
      Object.assign({}, ...(await ledger()).map(({ outcomes }) => keptOutcomes.parse(outcomes))),
    /** The row of a subscription's own task. */
    single: async ({ uuid }: { uuid: string }) => (await ledger()).find(({ taskKey }) => taskKey === `one#${uuid}`),
    waiting: () => stores.messagesIn<WaitingTask>('retry'),
    queued: () => stores.payloadsIn<DeliveryTask>('http'),
    /** Delivers a task that the queue shows. */
    deliver: (task: DeliveryTask, engine = state.engine) => deliverTask(task, engine),
  });
}
