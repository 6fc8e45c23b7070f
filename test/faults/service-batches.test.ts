/*
 * Promise: each message reaches each subscription once, even if a queue delivers messages twice, in any order, or again
 * after processing. A function may send a payload twice, and a queue may redeliver all messages in a batch after one of
 * them fails.
 */
import { expect, it } from 'vitest';
import type { Message } from '../../infra/local/aws/functions/sqs-batch.ts';
import type { DeliveryTask } from '../../shared/domain/deliveries/task.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { type ChooseOutcome, rejects } from '../harness/fake-sender.ts';
import { failing, type Interference } from '../harness/interference.ts';

const harness = useDeliveryHarness({ subscriptionsPerTask: 2 });
const countOf = (message: Message) => Number(message.Attributes?.ApproximateReceiveCount);

const disturbances: Record<string, Interference> = {
  'functions send every payload twice': {
    call: async ({ command }, go) => (command.startsWith('SendMessage') ? go().then(go) : go()),
  },
  'a queue delivers every message twice in one batch': {
    batch: (_, messages) => messages.flatMap((message) => [message, message]),
  },
  'a queue delivers messages in reverse order': { batch: (_, messages) => messages.toReversed() },
  'a queue delivers messages again after processing': {
    settled: (_, messages) => messages.filter((message) => countOf(message) > 1),
  },
  'a queue delivers messages twice and in reverse order, and half of them again after processing': {
    batch: (_, messages) => [...messages, ...messages].toReversed(),
    settled: (_, messages) => messages.filter((message, index) => countOf(message) > 2 || index % 2 === 0),
  },
};

// Some receivers reject the first attempt and accept the second.
const someFail: ChooseOutcome = (post, tries) =>
  tries < 1 && /^[0-4]/.test(post.uuid) ? rejects(post, tries) : { class: 'delivered' };

it.each(Object.entries(disturbances))('each subscription gets each message once if %s', async (_what, interference) => {
  const topic = await harness.newTopic();
  const people = await harness.subscribed(topic, ...Array.from({ length: 5 }, () => ({})), { isFailing: true });
  harness.answer(someFail);
  harness.interfere(interference);
  const messages = [await harness.publish(topic.name), await harness.publish(topic.name)];
  await harness.live();
  for (const messageId of messages) {
    expect(harness.accepted(messageId).toSorted()).toEqual(people.map(({ uuid }) => uuid).toSorted());
  }
  const failing = people.filter(({ uuid }) => /^[0-4]/.test(uuid)).length;
  expect(harness.posts).toHaveLength(messages.length * (people.length + failing));
});

it('only the failed task of a batch returns to the queue after an internal error', async () => {
  const topic = await harness.newTopic();
  const people = await harness.subscribed(topic, ...Array.from({ length: 8 }, () => ({ isFailing: true })));
  const messageId = await harness.publish(topic.name);
  await harness.work('fanOut');
  let faults = 0;
  harness.interfere({
    call: ({ command, input }, go) => {
      if (command !== 'POST' || input.uuid !== people[0]?.uuid || faults === 3) return go();
      faults += 1;
      return Promise.reject(new Error('internal error'));
    },
  });
  await harness.live({ isSwept: false });
  expect(faults).toBe(3);
  expect(harness.accepted(messageId).toSorted()).toEqual(people.map(({ uuid }) => uuid).toSorted());
});

it('only records that cannot be read reach the dead-letter queue', async () => {
  const topic = await harness.newTopic();
  const [person] = await harness.subscribed(topic, {});
  const messageId = await harness.publish(topic.name);
  await harness.work('fanOut');
  await harness.send('http', 'not json', '{"taskKey":7}');
  await harness.live({ isSwept: false });
  expect(harness.accepted(messageId)).toEqual([person?.uuid]);
  expect(harness.bodiesIn('httpDeadLetters').toSorted()).toEqual(['not json', '{"taskKey":7}']);
});

it('dead letters that are moved back to the queue after reconciliation are not delivered again', async () => {
  const topic = await harness.newTopic();
  const people = await harness.subscribed(topic, {}, {}, {});
  const messageId = await harness.publish(topic.name);
  await harness.work('fanOut');
  const tasks = harness.payloadsIn<DeliveryTask>('http');
  // Every first attempt fails with an internal error until its task reaches the dead-letter queue. Reconciliation then
  // repeats the attempts.
  await harness.interfereDuring(failing('POST'), () => harness.live({ until: harness.now() + 60 * 60_000 }));
  const dead = harness.bodiesIn('httpDeadLetters');
  expect(dead.length).toBeGreaterThan(0);
  expect(harness.posts).toEqual([]);
  await harness.live();
  expect(harness.accepted(messageId).toSorted()).toEqual(people.map(({ uuid }) => uuid).toSorted());
  await harness.send('http', ...dead, ...tasks);
  await harness.live();
  expect(harness.posts).toHaveLength(people.length);
});
