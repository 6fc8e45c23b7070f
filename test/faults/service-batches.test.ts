/*
 * Promise: whatever a queue does with its batches (shows a message twice, in any order, again although it was done; hands
 * back the good with the bad), each message reaches each subscription once.
 */
import { expect, it } from 'vitest';
import type { Message } from '../../infra/local/aws/functions/sqs-batch.ts';
import type { DeliveryTask } from '../../shared/model/deliveries/task.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { type Answering, refuses } from '../harness/fake-sender.ts';
import { type Interference, refusing } from '../harness/interference.ts';

const harness = useDeliveryHarness({ subscriptionsPerTask: '2' });
const countOf = (message: Message) => Number(message.Attributes?.ApproximateReceiveCount);

const troubles: Record<string, Interference> = {
  'shown twice in one batch': { batch: (_, messages) => messages.flatMap((message) => [message, message]) },
  'in reverse order': { batch: (_, messages) => messages.toReversed() },
  'done, and shown again all the same': {
    settled: (_, messages) => messages.filter((message) => countOf(message) > 1),
  },
  'twice, in reverse, and every other one again although it was done': {
    batch: (_, messages) => [...messages, ...messages].toReversed(),
    settled: (_, messages) => messages.filter((message, index) => countOf(message) > 2 || index % 2 === 0),
  },
};

// Some of them fail once before they accept.
const someFail: Answering = (post, tries) =>
  tries < 1 && /^[0-4]/.test(post.uuid) ? refuses(post, tries) : { class: 'delivered' };

it.each(Object.entries(troubles))('messages %s reach each subscription once', async (_what, interference) => {
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

it('a batch in which one task fails by our own fault gives back that one alone', async () => {
  const topic = await harness.newTopic();
  const people = await harness.subscribed(topic, ...Array.from({ length: 8 }, () => ({ isFailing: true })));
  const messageId = await harness.publish(topic.name);
  await harness.work('fanOut');
  let faults = 0;
  harness.interfere({
    call: ({ command, input }, go) => {
      if (command !== 'POST' || input.uuid !== people[0]?.uuid || faults === 3) return go();
      faults += 1;
      return Promise.reject(new Error('a fault of ours'));
    },
  });
  await harness.live({ isSwept: false });
  expect(faults).toBe(3);
  expect(harness.accepted(messageId).toSorted()).toEqual(people.map(({ uuid }) => uuid).toSorted());
});

it('a record that nobody can read goes to the dead letters alone', async () => {
  const topic = await harness.newTopic();
  const [person] = await harness.subscribed(topic, {});
  const messageId = await harness.publish(topic.name);
  await harness.work('fanOut');
  await harness.send('http', 'not json', '{"taskKey":7}');
  await harness.live({ isSwept: false });
  expect(harness.accepted(messageId)).toEqual([person?.uuid]);
  expect(harness.bodiesIn('httpDeadLetters').toSorted()).toEqual(['not json', '{"taskKey":7}']);
});

it('dead letters that are redriven long after deliver nothing twice', async () => {
  const topic = await harness.newTopic();
  const people = await harness.subscribed(topic, {}, {}, {});
  const messageId = await harness.publish(topic.name);
  await harness.work('fanOut');
  const tasks = harness.payloadsIn<DeliveryTask>('http');
  // The first attempts fail by a fault of ours until they are put aside; the audit makes them again once it is mended.
  harness.interfere(refusing('POST'));
  await harness.live({ until: harness.now() + 31 * 60_000 });
  harness.interfere({});
  const dead = harness.bodiesIn('httpDeadLetters');
  expect(dead.length).toBeGreaterThan(0);
  expect(harness.posts).toEqual([]);
  await harness.live();
  expect(harness.accepted(messageId).toSorted()).toEqual(people.map(({ uuid }) => uuid).toSorted());
  await harness.send('http', ...dead, ...tasks);
  await harness.live();
  expect(harness.posts).toHaveLength(people.length);
});
