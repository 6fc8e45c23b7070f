import { describe, expect, it } from 'vitest';
import { singleTask } from '../../shared/domain/deliveries/task.ts';
import { aNotification, aTask, noon } from '../harness/builders.ts';
import { aPublication } from '../harness/deliveries.ts';
import { hang, status } from '../harness/receiver.ts';
import { useTaskHarness } from '../harness/task-harness.ts';

const harness = useTaskHarness();
const { topic, subscriber, deliver, deliveries, outcomes, single, waiting } = harness;

it('a task delivers the published body to every subscription and records the deliveries', async () => {
  const people = [await subscriber(), await subscriber()];
  const content = aNotification(topic, { subject: 'death', body: '{"source":"É","uin":"1"}' });
  await deliver(aTask(content, people));
  expect(harness.receiver.received).toHaveLength(2);
  for (const person of people) {
    const request = harness.receiver.received.find(({ headers }) => headers['subscription-id'] === person.uuid);
    expect(request?.path).toBe(new URL(person.address).pathname);
    expect(request?.body.toString()).toBe('{"source":"É","uin":"1"}');
    expect(request?.headers).toMatchObject({
      'message-type': 'Notification',
      'message-id': content.messageId,
      'topic-id': topic.uuid,
      subject: 'death',
      'content-type': 'application/json',
    });
    expect(await outcomes()).toHaveProperty(person.uuid, {
      class: 'delivered',
      status: 200,
      at: noon,
      next: 'none',
      tookMs: 0,
    });
  }
  // The batch has only one row, because no delivery became a single delivery.
  expect(await deliveries()).toHaveLength(1);
  expect(waiting()).toEqual([]);
  expect(harness.failures).toEqual([]);
});

it('a task skips deleted and inactive subscriptions and records no outcomes for them', async () => {
  const [left, inactive] = [await subscriber(), await subscriber({ isActive: false })];
  await harness.subscriptionStore().removeView(left, left);
  await deliver(aTask(aNotification(topic), [left, inactive]));
  expect(harness.receiver.received).toEqual([]);
  expect(await deliveries()).toEqual([]);
  expect(waiting()).toEqual([]);
});

it('a task skips subscriptions that were created and confirmed after the message, allowing for the clock tolerance', async () => {
  const people = [
    await subscriber({ createdAt: noon + 5000 }),
    await subscriber({ createdAt: noon + 5001, activeSince: noon + 5001 }),
    // This subscription was created too late, but a machine with a different clock confirmed it in time.
    await subscriber({ createdAt: noon + 5001, activeSince: noon + 5000 }),
    await subscriber({ generation: 'another life of the topic' }),
  ];
  await deliver(aTask(aNotification(topic), people));
  const meant = [people[0]?.uuid, people[2]?.uuid].toSorted();
  expect(harness.receiver.received.map(({ headers }) => headers['subscription-id']).toSorted()).toEqual(meant);
  expect(Object.keys(await outcomes()).toSorted()).toEqual(meant);
});

it('a task throws an internal error and sends nothing if the message body has expired', async () => {
  const content = { ...aNotification(topic), bodyBase64: undefined, bodyKey: 'nothing' };
  await expect(deliver(aTask(content, [await subscriber()]))).rejects.toThrow(content.messageId);
  expect(harness.receiver.received).toEqual([]);
});

it('a task throws an internal error if its row is malformed', async () => {
  const task = aTask(aNotification(topic), [await subscriber()]);
  const messageShard = `${task.content.messageId}#0`;
  const row = { messageShard, taskKey: task.taskKey, state: 'odd', leaseUntil: 0 };
  await harness.write('deliveries', row);
  await expect(deliver(task)).rejects.toThrow();
  expect(harness.receiver.received).toEqual([]);
});

describe('a failed attempt', () => {
  const failures = [
    ['a 500', () => harness.receiver.answer(status(500)), { class: 'http', status: 500 }],
    [
      'a redirect',
      () => harness.receiver.answer(status(302, { location: '/elsewhere' })),
      { class: 'http', status: 302 },
    ],
    ['no response', () => harness.receiver.answer(hang), { class: 'timeout' }],
    ['a rejected connection', () => harness.receiver.close(), { class: 'connect', code: 'ECONNREFUSED' }],
  ] as const;

  it.each(failures)(
    'a failed attempt with %s is recorded and not retried before the countdown ends',
    async (_what, fail, end) => {
      const person = await subscriber({ countdownSeconds: 7 });
      await fail();
      // The attempt takes two seconds on the test clock.
      const { sender } = harness.engine;
      const slow: typeof sender = {
        deliver: async (...given) => {
          const outcome = await sender.deliver(...given);
          harness.pass(2000);
          return outcome;
        },
      };
      await deliver(aTask(aNotification(topic), [person]), { ...harness.engine, sender: slow });
      const notBefore = noon + 9000;
      const outcome = { ...end, at: noon + 2000, next: 'retry', notBefore, tookMs: 2000 };
      expect(await outcomes()).toEqual({ [person.uuid]: outcome });
      expect(await single(person)).toMatchObject({ state: 'waiting', attempt: 0, base: 0, notBefore, outcome });
      expect(waiting()).toMatchObject([
        {
          payload: { notBefore, task: { isSingle: true, attempt: 1, subscriptionUuids: [person.uuid] } },
          delaySeconds: 7,
        },
      ]);
      expect(harness.receiver.received.length).toBeLessThanOrEqual(1);
    },
  );

  it('a retry is queued with a delay of at most 900 seconds, even if the countdown is longer', async () => {
    harness.receiver.answer(status(500));
    await deliver(aTask(aNotification(topic), [await subscriber({ countdownSeconds: 3600 })]));
    expect(waiting()).toMatchObject([{ payload: { notBefore: noon + 3_600_000 }, delaySeconds: 900 }]);
  });

  it('a failed attempt does not delay the other subscriptions in the batch', async () => {
    const [well, ill] = [await subscriber(), await subscriber()];
    harness.receiver.answer(({ headers }) => ({ status: headers['subscription-id'] === ill.uuid ? 500 : 200 }));
    const task = aTask(aNotification(topic), [well, ill]);
    await deliver(task);
    expect(waiting()).toMatchObject([{ payload: { task: { subscriptionUuids: [ill.uuid], content: task.content } } }]);
    expect(await outcomes()).toMatchObject({ [well.uuid]: { next: 'none' }, [ill.uuid]: { next: 'retry' } });
    expect(await single(well)).toBeUndefined();
    expect(await single(ill)).toMatchObject({ state: 'waiting' });
  });

  it('a failed attempt is retried indefinitely if `maxRetries` is -1, and the message is stored while retries continue', async () => {
    const person = await subscriber({ maxRetries: -1, countdownSeconds: 3600 });
    harness.receiver.answer(status(500));
    const publication = aPublication({ topicUuid: topic.uuid, generation: topic.generation });
    const day = 24 * 3600;
    await harness.publishing().createMessage(publication, 'payload', noon, noon / 1000 + 30 * day);
    const [messageRow] = await deliveries();
    expect(messageRow?.expiresAt).toBe(noon / 1000 + 30 * day);
    harness.moveTo(noon + 29 * day * 1000);
    const own = { taskKey: `one#${person.uuid}`, isSingle: true, attempt: 5000 };
    await deliver(aTask({ type: 'Notification', ...publication }, [person], own));
    expect(waiting()).toMatchObject([{ payload: { task: { attempt: 5001 } } }]);
    const kept = (await deliveries()).find(({ taskKey }) => taskKey === 'message');
    // The expiry is rounded up to the end of the day, so that it changes at most once a day.
    expect(kept?.expiresAt).toBe(Math.ceil((noon / 1000 + 29 * day + 3600 + 30 * day) / day) * day);
  });
});

it('a task reports each attempt once, and reports nothing if it makes no attempt', async () => {
  const [person, failing] = [await subscriber(), await subscriber({ isFailing: true })];
  const content = aNotification(topic);
  const task = aTask(content, [person, failing]);
  const ids = { messageId: content.messageId };
  await deliver(task);
  await deliver(task);
  expect(harness.attempts).toEqual([{ ...ids, uuid: person.uuid, attempt: 0, class: 'delivered' }]);

  harness.receiver.answer(status(503));
  await deliver(singleTask(task, failing.uuid, 0));
  const [next] = waiting();
  await deliver(next?.payload.task ?? task);
  expect(harness.attempts.slice(1)).toEqual([
    { ...ids, uuid: failing.uuid, attempt: 0, class: 'http' },
    { ...ids, uuid: failing.uuid, attempt: 1, class: 'http' },
  ]);
});
