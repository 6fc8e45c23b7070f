import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { deliverTask, type Engine } from '../../shared/delivery/deliver-task.ts';
import { Busy } from '../../shared/model/delivery.ts';
import type { DeliveryTask, WaitingTask } from '../../shared/model/message.ts';
import type { StoredSubscription } from '../../shared/model/subscription.ts';
import { deliveries } from '../../shared/storage/deliveries.ts';
import { httpQueue, retryQueue } from '../../shared/storage/queues.ts';
import { subscriptions } from '../../shared/storage/subscriptions.ts';
import { aConfirmation, aNotification, aSubscription, aTask, aTopic, noon, tokenOf } from '../support/builders.ts';
import { aChannel } from '../support/channel.ts';
import { useDynamodb, useSqs } from '../support/embedded.ts';
import { hang, type Receiver, startReceiver, status } from '../support/receiver.ts';

const dynamodb = useDynamodb();
const sqs = useSqs();
const channel = aChannel();
afterAll(() => channel.close());

const leaseMs = 30_000;
const topic = aTopic({ name: 'CR' });

let clock: number;
let engine: Engine;
let receiver: Receiver;
let [table, retryUrl, httpUrl] = ['', '', ''];

beforeEach(async () => {
  clock = noon;
  receiver = await startReceiver();
  const people = await dynamodb.createTable('subscriptions');
  table = await dynamodb.createTable('deliveries');
  [retryUrl, httpUrl] = [sqs.createQueue(), sqs.createQueue()];
  store = subscriptions.permissions.write(dynamodb.client, people);
  engine = {
    subscriptions: subscriptions.permissions.deliver(dynamodb.client, people),
    deliveries: deliveries.permissions.deliver(dynamodb.client, table),
    retry: retryQueue.permissions.send(sqs.client, retryUrl),
    queue: httpQueue.permissions.send(sqs.client, httpUrl),
    channel,
    now: () => clock,
    compose: { baseUrl: 'https://registry.example', deliveryFormat: 'raw' },
    leaseMs,
    ledgerMs: 30 * 24 * 3600 * 1000,
    hopSeconds: 900,
  };
});

let store: ReturnType<typeof subscriptions.permissions.write>;

/** A stored subscription at the receiver, each at a path of its own. */
async function subscribed(given: Partial<StoredSubscription> = {}): Promise<StoredSubscription> {
  const subscription = aSubscription(topic, { address: `${receiver.url}/${crypto.randomUUID()}`, ...given });
  await store.ensure(subscription);
  return subscription;
}

const ledger = () => dynamodb.rowsOf(table);
const outcomesOf = async () => Object.assign({}, ...(await ledger()).map(({ outcomes }) => outcomes));
const waiting = () => sqs.messagesIn<WaitingTask>(retryUrl);
const killed = new Error('killed');

describe('a task', () => {
  it('reaches every subscription of it with the body as published, and is recorded', async () => {
    const people = [await subscribed(), await subscribed()];
    const content = aNotification(topic, { subject: 'death', body: '{"source":"É","uin":"1"}' });
    await deliverTask(aTask(content, people), engine);
    expect(receiver.received).toHaveLength(2);
    for (const person of people) {
      const request = receiver.received.find(({ headers }) => headers['subscription-id'] === person.uuid);
      expect(request?.path).toBe(new URL(person.address).pathname);
      expect(request?.body.toString()).toBe('{"source":"É","uin":"1"}');
      expect(request?.headers).toMatchObject({
        'message-type': 'Notification',
        'message-id': content.messageId,
        'topic-id': topic.uuid,
        subject: 'death',
        'content-type': 'application/json',
      });
      expect(await outcomesOf()).toHaveProperty(person.uuid, {
        class: 'delivered',
        status: 200,
        at: noon,
        next: 'none',
      });
    }
    expect(waiting()).toEqual([]);
  });

  it('reaches nobody who has left, or is not active, and leaves no trace of them', async () => {
    const [left, inactive] = [await subscribed(), await subscribed({ isActive: false })];
    await store.remove(left.uuid);
    await deliverTask(aTask(aNotification(topic), [left, inactive]), engine);
    expect(receiver.received).toEqual([]);
    expect(await ledger()).toEqual([]);
    expect(waiting()).toEqual([]);
  });

  it('reaches those who stay when others of it have left', async () => {
    const [left, stays] = [await subscribed(), await subscribed()];
    await store.remove(left.uuid);
    await deliverTask(aTask(aNotification(topic), [left, stays]), engine);
    expect(receiver.received.map(({ headers }) => headers['subscription-id'])).toEqual([stays.uuid]);
  });

  it('takes a long body from the ledger', async () => {
    const person = await subscribed();
    const content = aNotification(topic);
    const body = `\ufeff{"source":"${'é'.repeat(50_000)}"}`;
    await deliveries.permissions.fanOut(dynamodb.client, table).open({
      ...{ messageId: content.messageId, jobId: 'job', topicUuid: topic.uuid, topicName: topic.name },
      ...{ timestamp: content.timestamp, bits: 0, expiresAt: noon },
      bodyBase64: Buffer.from(body).toString('base64'),
    });
    await deliverTask(aTask({ ...content, bodyBase64: undefined }, [person]), engine);
    expect(receiver.received[0]?.body.equals(Buffer.from(body))).toBe(true);
  });

  it('is our own fault when the ledger has no body for it, and nothing is sent', async () => {
    const content = { ...aNotification(topic), bodyBase64: undefined };
    await expect(deliverTask(aTask(content, [await subscribed()]), engine)).rejects.toThrow(content.messageId);
    expect(receiver.received).toEqual([]);
  });
});

describe('once only', () => {
  it('sends one message when the queue shows the same task several times at once', async () => {
    const task = aTask(aNotification(topic), [await subscribed()]);
    receiver.answer(() => new Promise((resolve) => setTimeout(() => resolve({ status: 200 }), 60)));
    const copies = await Promise.allSettled(Array.from({ length: 5 }, () => deliverTask(task, engine)));
    expect(receiver.received).toHaveLength(1);
    const refused = copies.filter((copy) => copy.status === 'rejected');
    expect(refused.every(({ reason }) => reason instanceof Busy)).toBe(true);
    expect(copies.length - refused.length).toBeGreaterThanOrEqual(1);
  });

  it('sends nothing more when the queue shows a task again, however much later', async () => {
    const task = aTask(aNotification(topic), [await subscribed()]);
    await deliverTask(task, engine);
    await deliverTask(task, engine);
    clock += 10 * leaseMs;
    await deliverTask(task, engine);
    expect(receiver.received).toHaveLength(1);
  });

  it('sends the same message-id once more, and no more, after dying between the POST and the record', async () => {
    const task = aTask(aNotification(topic), [await subscribed()]);
    const dying = { ...engine, deliveries: { ...engine.deliveries, record: () => Promise.reject(killed) } };
    await expect(deliverTask(task, dying)).rejects.toBe(killed);
    await expect(deliverTask(task, engine)).rejects.toBeInstanceOf(Busy);
    expect(receiver.received).toHaveLength(1);

    clock += leaseMs + 1;
    await deliverTask(task, engine);
    clock += leaseMs + 1;
    await deliverTask(task, engine);
    expect(receiver.received.map(({ headers }) => headers['message-id'])).toEqual([
      task.content.messageId,
      task.content.messageId,
    ]);
  });

  it('schedules the retry without another POST after dying between the record and the follow-up', async () => {
    const person = await subscribed();
    const task = aTask(aNotification(topic), [person]);
    receiver.answer(status(500));
    const dying = { ...engine, retry: { sendMany: () => Promise.reject(killed) } };
    await expect(deliverTask(task, dying)).rejects.toBe(killed);
    expect(waiting()).toEqual([]);

    clock += 5000;
    await deliverTask(task, engine);
    expect(receiver.received).toHaveLength(1);
    expect(waiting()).toMatchObject([{ job: { notBefore: noon + 60_000, task: { attempt: 1 } }, delaySeconds: 55 }]);
  });

  it('lets whoever took over decide when a slow copy comes back after its lease', async () => {
    const task = aTask(aNotification(topic), [await subscribed()]);
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    receiver.answer(async () => {
      const isFirst = receiver.received.length === 1;
      if (isFirst) await isReleased;
      return { status: isFirst ? 500 : 200 };
    });
    const slow = deliverTask(task, engine);
    await receiver.arrival('Notification');
    clock += leaseMs + 1;
    await deliverTask(task, engine);
    release();
    await slow;
    expect(waiting()).toEqual([]);
    expect(Object.values(await outcomesOf())).toMatchObject([{ class: 'delivered' }]);
  });

  it('posts a retry once though it was sent to wait twice', async () => {
    const person = await subscribed();
    receiver.answer(status(500));
    const task = aTask(aNotification(topic), [person]);
    await deliverTask(task, engine);
    await deliverTask(task, engine);
    const retries = waiting().map(({ job }) => job.task);
    expect(retries).toHaveLength(2);
    receiver.answer(status(200));
    clock += 60_000;
    for (const retry of retries) await deliverTask(retry, engine);
    expect(receiver.received).toHaveLength(2);
  });

  it('serves later those whom fan-out found only when it ran again', async () => {
    const [first, late] = [await subscribed(), await subscribed()];
    const content = aNotification(topic);
    await deliverTask(aTask(content, [first]), engine);
    await deliverTask(aTask(content, [first, late]), engine);
    const tasks = sqs.messagesIn<DeliveryTask>(httpUrl).map(({ job }) => job);
    expect(tasks).toMatchObject([{ isSingle: true, attempt: 0, subscriptionUuids: [late.uuid] }]);
    for (const task of tasks) await deliverTask(task, engine);
    expect(receiver.received.map(({ headers }) => headers['subscription-id'])).toEqual([first.uuid, late.uuid]);
  });
});

describe('a failed attempt', () => {
  const failures = [
    ['a 500', () => receiver.answer(status(500)), { class: 'http', status: 500 }],
    ['a redirect', () => receiver.answer(status(302, { location: '/elsewhere' })), { class: 'http', status: 302 }],
    ['no answer', () => receiver.answer(hang), { class: 'timeout' }],
    ['a refused connection', () => receiver.close(), { class: 'connect' }],
  ] as const;

  it.each(failures)(
    'by %s is recorded, and retried no earlier than countdown after its end',
    async (_what, fail, outcome) => {
      const person = await subscribed({ countdownSeconds: 7 });
      await fail();
      let calls = 0;
      // The attempt takes two seconds of this clock.
      const ticking = { ...engine, now: () => (calls++ === 0 ? noon : noon + 2000) };
      await deliverTask(aTask(aNotification(topic), [person]), ticking);
      const notBefore = noon + 9000;
      expect(await outcomesOf()).toEqual({ [person.uuid]: { ...outcome, at: noon + 2000, next: 'retry', notBefore } });
      expect(waiting()).toMatchObject([
        {
          job: { notBefore, task: { isSingle: true, attempt: 1, subscriptionUuids: [person.uuid] } },
          delaySeconds: 7,
        },
      ]);
      expect(receiver.received.length).toBeLessThanOrEqual(1);
    },
  );

  it('waits in hops when its countdown is longer than the queue can delay', async () => {
    receiver.answer(status(500));
    await deliverTask(aTask(aNotification(topic), [await subscribed({ countdownSeconds: 3600 })]), engine);
    expect(waiting()).toMatchObject([{ job: { notBefore: noon + 3_600_000 }, delaySeconds: 900 }]);
  });

  it('of one subscription holds up nobody else of its task', async () => {
    const [well, ill] = [await subscribed(), await subscribed()];
    receiver.answer(({ headers }) => ({ status: headers['subscription-id'] === ill.uuid ? 500 : 200 }));
    const task = aTask(aNotification(topic), [well, ill]);
    await deliverTask(task, engine);
    expect(waiting()).toMatchObject([{ job: { task: { subscriptionUuids: [ill.uuid], content: task.content } } }]);
    expect(await outcomesOf()).toMatchObject({ [well.uuid]: { next: 'none' }, [ill.uuid]: { next: 'retry' } });
  });

  it('is retried max times and then recorded as failed', async () => {
    const person = await subscribed({ countdownSeconds: 1, maxRetries: 3 });
    receiver.answer(status(503));
    const attempts: number[] = [];
    const due: DeliveryTask[] = [aTask(aNotification(topic), [person])];
    for (let task = due.shift(); task !== undefined; task = due.shift()) {
      attempts.push(task.attempt);
      retryUrl = sqs.createQueue();
      engine = { ...engine, retry: retryQueue.permissions.send(sqs.client, retryUrl) };
      await deliverTask(task, engine);
      for (const { job } of waiting()) {
        expect(job.notBefore).toBe(clock + 1000);
        clock = job.notBefore;
        due.push(job.task);
      }
    }
    expect(attempts).toEqual([0, 1, 2, 3]);
    expect(receiver.received).toHaveLength(4);
    const single = (await ledger()).find(({ taskKey }) => taskKey === `one#${person.uuid}`);
    expect(single).toMatchObject({
      attempt: 3,
      outcomes: { [person.uuid]: { class: 'http', status: 503, next: 'failed', at: clock } },
    });
  });

  it('goes on without end when max is -1', async () => {
    const person = await subscribed({ maxRetries: -1 });
    receiver.answer(status(500));
    const task = aTask(aNotification(topic), [person], {
      taskKey: `one#${person.uuid}`,
      isSingle: true,
      attempt: 5000,
    });
    await deliverTask(task, engine);
    expect(waiting()).toMatchObject([{ job: { task: { attempt: 5001 } } }]);
  });

  it('ends when the subscriber leaves', async () => {
    const person = await subscribed();
    receiver.answer(status(500));
    await deliverTask(aTask(aNotification(topic), [person]), engine);
    const retries = waiting().map(({ job }) => job.task);
    await store.remove(person.uuid);
    clock += 60_000;
    for (const retry of retries) await deliverTask(retry, engine);
    expect(retries).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a confirmation', () => {
  const asking = (person: StoredSubscription, given = {}) =>
    aTask(aConfirmation(person), [person], { taskKey: `one#${person.uuid}`, isSingle: true, ...given });

  it('is sent to a subscription that waits for it', async () => {
    const person = await subscribed({ isActive: false });
    await deliverTask(asking(person), engine);
    expect(receiver.of('SubscriptionConfirmation')).toHaveLength(1);
    expect(JSON.parse(String(receiver.received[0]?.body))).toMatchObject({ token: tokenOf(person.uuid), topic: 'CR' });
  });

  it('follows the policy like any message', async () => {
    const person = await subscribed({ isActive: false });
    receiver.answer(status(500));
    await deliverTask(asking(person), engine);
    expect(waiting()).toMatchObject([{ job: { notBefore: noon + 60_000, task: { attempt: 1 } } }]);
    expect((await engine.subscriptions.getMany([person.uuid]))[0]?.hasConfirmationFailed).toBe(false);
  });

  it('that has used up its retries is noted, so that subscribing again sends another', async () => {
    const person = await subscribed({ isActive: false });
    receiver.answer(status(500));
    await deliverTask(asking(person, { attempt: 2 }), engine);
    expect(waiting()).toEqual([]);
    expect((await engine.subscriptions.getMany([person.uuid]))[0]?.hasConfirmationFailed).toBe(true);
  });

  it.each<[string, (person: StoredSubscription) => Promise<unknown>]>([
    ['it was confirmed', (person) => store.confirm(person.uuid, person.tokenHash, noon)],
    ['its token has expired', async (person) => (clock = person.tokenExpiresAt)],
    ['another token took its place', (person) => store.renewToken(person, 'other', person.tokenExpiresAt)],
    ['the subscription is gone', (person) => store.remove(person.uuid)],
  ])('is not sent once %s', async (_what, change) => {
    const person = await subscribed({ isActive: false });
    await change(person);
    await deliverTask(asking(person), engine);
    expect(receiver.received).toEqual([]);
    expect(await ledger()).toEqual([]);
  });

  it('is recorded when the receiver confirms inside its own handler, before it answers', async () => {
    const person = await subscribed({ isActive: false });
    receiver.answer(async () => {
      await store.confirm(person.uuid, person.tokenHash, noon);
      return { status: 200 };
    });
    await deliverTask(asking(person), engine);
    expect(await outcomesOf()).toMatchObject({ [person.uuid]: { class: 'delivered' } });
    expect((await engine.subscriptions.getMany([person.uuid]))[0]?.isActive).toBe(true);
  });
});

it('rows of the ledger that are not what they should be are our own fault', async () => {
  const task = aTask(aNotification(topic), [await subscribed()]);
  const row = { messageId: task.content.messageId, taskKey: task.taskKey, attempt: 0, state: 'odd', leaseUntil: 0 };
  await dynamodb.client.send(new PutItemCommand({ TableName: table, Item: marshall(row) }));
  await expect(deliverTask(task, engine)).rejects.toThrow();
  expect(receiver.received).toEqual([]);
});
