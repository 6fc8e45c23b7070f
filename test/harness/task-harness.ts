import { afterAll, beforeEach } from 'vitest';
import { deliverTask } from '../../shared/delivery/deliver-tasks.ts';
import type { DeliveryContext } from '../../shared/delivery/delivery-context.ts';
import type { DeliveryOutcome } from '../../shared/domain/deliveries/outcome.ts';
import type { DeliveryTask, WaitingTask } from '../../shared/domain/deliveries/task.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import type { StoredTopic } from '../../shared/domain/topics/topic.ts';
import { storedOutcomes } from '../../shared/storage/deliveries/row-schemas.ts';
import { deliveries as deliveriesStore } from '../../shared/storage/deliveries/store.ts';
import { queues as queueStore } from '../../shared/storage/queues/store.ts';
import { subscriptions as subscriptionStore } from '../../shared/storage/subscriptions/store.ts';
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

/** Sets up what single deliveries need: the engine, real stores and queues, the HTTP sender, and a real receiver. */
export function useTaskHarness() {
  const stores = useStores({ tables: ['subscriptions', 'deliveries', 'journal'], onReset: () => clock.moveTo(noon) });
  const clock = useClock();
  const sender = aSender();
  afterAll(() => sender.close());
  const topic: StoredTopic = aTopic({ name: 'CR' });

  /** State that is reset before each test. */
  const state = {
    engine: {} as DeliveryContext,
    receiver: {} as Receiver,
    /** The deliveries that the engine has reported as permanently failed. */
    failures: [] as Failure[],
    /** The delivery attempts that the engine has reported. */
    attempts: [] as Attempt[],
  };

  function newEngine(): DeliveryContext {
    const { dynamodb, sqs, tables, queues } = stores;
    return {
      subscriptions: subscriptionStore.permissions.deliver(dynamodb.client, tables.subscriptions),
      deliveries: deliveriesStore.permissions.deliver(dynamodb.client, tables.deliveries),
      queues: {
        ...queueStore.permissions.retry(sqs.client, queues.retry),
        ...queueStore.permissions.fanOut(sqs.client, queues.fanOut),
      },
      laterLane: queueStore.permissions.slow(sqs.client, queues.slow).slow,
      sender,
      now: Date.now,
      newId: () => crypto.randomUUID(),
      jitter: () => 0,
      afterMs: () => () => {},
      settings: { baseUrl: 'https://registry.example', deliveryFormat: 'raw', deliveryDays: 30, pauseAfterDays: 5 },
      messages: stores.bodies(),
      leaseMs,
      timeLeftMs: () => 20_000,
      attemptMs: 20_000,
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

  const deliveries = () => stores.rows('deliveries');
  return Object.assign(state, stores, clock, {
    topic,
    deliveries,
    /** The permissions of the functions that publish. */
    publishing: () => deliveriesStore.permissions.publish(stores.dynamodb.client, stores.tables.deliveries),
    /** Stores a subscription whose address is a unique path on the receiver. */
    async subscriber(given: Partial<StoredSubscription> = {}): Promise<StoredSubscription> {
      const address = `${state.receiver.url}/${crypto.randomUUID()}`;
      const subscription = aSubscription(topic, { address, activeSince: noon, ...given });
      await stores.subscriptionStore().ensure(subscription);
      return subscription;
    },
    /** Returns the outcomes in the rows of batch deliveries, by subscription. */
    outcomes: async (): Promise<Record<string, DeliveryOutcome>> =>
      Object.assign({}, ...(await deliveries()).map(({ outcomes }) => storedOutcomes.parse(outcomes))),
    /** Returns the row of a single delivery. */
    single: async ({ uuid }: { uuid: string }) => (await deliveries()).find(({ taskKey }) => taskKey === `one#${uuid}`),
    waiting: () => stores.messagesIn<WaitingTask>('retry'),
    queued: () => stores.payloadsIn<DeliveryTask>('http'),
    /** Delivers a task from the queue. */
    deliver: (task: DeliveryTask, engine = state.engine) => deliverTask(task, engine),
  });
}
