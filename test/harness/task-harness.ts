import { afterAll, beforeEach } from 'vitest';
import { deliverTask } from '../../shared/delivery/engine/deliver-task.ts';
import type { DeliveryContext } from '../../shared/delivery/engine/delivery-context.ts';
import type { LedgerOutcome } from '../../shared/model/deliveries/outcome.ts';
import type { DeliveryTask, WaitingTask } from '../../shared/model/deliveries/task.ts';
import type { StoredSubscription } from '../../shared/model/subscriptions/subscription.ts';
import type { StoredTopic } from '../../shared/model/topics/topic.ts';
import { ledger as ledgerStore } from '../../shared/storage/deliveries/ledger.ts';
import { queues } from '../../shared/storage/queues/queues.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';
import { aSubscription, aTopic, noon } from '../support/builders.ts';
import { useDynamodb, useSqs } from '../support/embedded.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { aSender } from '../support/sender.ts';

export const leaseMs = 30_000;
const dayMs = 24 * 3_600_000;

/** The engine of the http sender with real stores and queues, a real receiver, and a clock that stands still. */
export function useEngine() {
  const dynamodb = useDynamodb();
  const sqs = useSqs();
  const sender = aSender();
  afterAll(() => sender.close());
  const topic: StoredTopic = aTopic({ name: 'CR' });
  let retryUrl = '';

  const state = {
    clock: noon,
    engine: {} as DeliveryContext,
    receiver: {} as Receiver,
    store: {} as ReturnType<typeof subscriptions.permissions.write>,
    /** The table of deliveries, and that of subscriptions. */
    table: '',
    people: '',
    httpUrl: '',
    /** What the engine reported as failed for good. */
    failures: [] as { messageId: string; uuid: string; outcome: Parameters<DeliveryContext['onFailed']>[2] }[],
    /** The attempts that the engine told of. */
    attempts: [] as { messageId: string; uuid: string; attempt: number; class: string }[],
  };
  const ledger = () => dynamodb.rowsOf(state.table);
  const tools = {
    dynamodb,
    sqs,
    topic,
    /** A stored subscription at the receiver, each at a path of its own. */
    async subscribed(given: Partial<StoredSubscription> = {}): Promise<StoredSubscription> {
      const address = `${state.receiver.url}/${crypto.randomUUID()}`;
      const subscription = aSubscription(topic, { address, activeSince: noon, ...given });
      await state.store.ensure(subscription);
      return subscription;
    },
    stored: async ({ uuid }: { uuid: string }) => (await state.engine.subscriptions.getMany([uuid]))[0],
    ledger,
    /** By subscription, what the tasks for several say. */
    outcomes: async (): Promise<Record<string, LedgerOutcome>> =>
      Object.assign({}, ...(await ledger()).map(({ outcomes }) => outcomes)),
    /** The row of a subscription's own task. */
    single: async ({ uuid }: { uuid: string }) => (await ledger()).find(({ taskKey }) => taskKey === `one#${uuid}`),
    waiting: () => sqs.messagesIn<WaitingTask>(retryUrl),
    queued: () => sqs.messagesIn<DeliveryTask>(state.httpUrl).map(({ payload }) => payload),
    /** Empties the queue of waiting retries. */
    freshRetryQueue() {
      retryUrl = sqs.createQueue();
      state.engine = { ...state.engine, retry: queues.permissions.retry(sqs.client, retryUrl).retry };
    },
    /** Delivers a task that the queue shows for the first time. */
    deliver: (task: DeliveryTask, engine = state.engine) => deliverTask(task, false, engine),
    /** Delivers a task that the queue has shown before. */
    deliverAgain: (task: DeliveryTask, engine = state.engine) => deliverTask(task, true, engine),
  };

  beforeEach(async () => {
    state.clock = noon;
    state.failures = [];
    state.attempts = [];
    state.receiver = await startReceiver();
    state.people = await dynamodb.createTable('subscriptions');
    state.table = await dynamodb.createTable('deliveries');
    [retryUrl, state.httpUrl] = [sqs.createQueue(), sqs.createQueue()];
    state.store = subscriptions.permissions.write(dynamodb.client, state.people);
    state.engine = {
      subscriptions: subscriptions.permissions.deliver(dynamodb.client, state.people),
      ledger: ledgerStore.permissions.deliver(dynamodb.client, state.table),
      retry: queues.permissions.retry(sqs.client, retryUrl).retry,
      queue: queues.permissions.http(sqs.client, state.httpUrl).http,
      sender,
      now: () => state.clock,
      newId: () => crypto.randomUUID(),
      jitter: () => 0,
      later: () => () => {},
      compose: { baseUrl: 'https://registry.example', deliveryFormat: 'raw' },
      bodies: new Map(),
      leaseMs,
      ledgerDays: 30,
      hopSeconds: 900,
      pauseAfterMs: 5 * dayMs,
      onFailed: (messageId, uuid, outcome) => void state.failures.push({ messageId, uuid, outcome }),
      onAttempted: (messageId, uuid, attempt, { class: kind }) =>
        void state.attempts.push({ messageId, uuid, attempt, class: kind }),
    };
  });
  return Object.assign(state, tools);
}
