/*
 * Promise: once publish has returned 200, a message is durable, even if only the queue or only the deliveries table
 * accepted it. This promise also applies to messages with long bodies.
 */
import { expect, it } from 'vitest';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { failing } from '../harness/interference.ts';

const harness = useDeliveryHarness({ subscriptionsPerTask: 2 });
const uuidsOf = (people: readonly StoredSubscription[]) => people.map(({ uuid }) => uuid).toSorted();
const minutes = (count: number) => count * 60_000;

it('publish returns 200 if only the queue fails, and reconciliation delivers the message', async () => {
  const topic = await harness.newTopic();
  const people = await harness.subscribed(topic, {}, {}, {});
  const messageId = await harness.interfereDuring(failing('SendMessage'), () => harness.publish(topic.name));
  expect(harness.payloadsIn('fanOut')).toEqual([]);
  const publishedAt = harness.now();
  await harness.live();
  expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf(people));
  expect(Number(harness.posts[0]?.at) - publishedAt).toBeLessThanOrEqual(minutes(12));
});

it('publish returns 200 if only the deliveries table fails, and fan-out writes the missing row', async () => {
  const topic = await harness.newTopic();
  const people = await harness.subscribed(topic, {}, {}, {});
  const messageId = await harness.interfereDuring(failing('PutItem'), () => harness.publish(topic.name));
  expect(await harness.rows('deliveries')).toEqual([]);
  await harness.work('fanOut');
  await harness.purge();
  await harness.live();
  expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf(people));
});

const body = JSON.stringify({ source: 'é'.repeat(60_000) });

it.each([
  ['the queue', failing('SendMessage')],
  ['the deliveries table', failing('PutItem')],
  ['S3', failing('PutObject')],
])('a long body arrives unchanged, byte for byte, if %s fails', async (_what, interference) => {
  const topic = await harness.newTopic();
  const people = await harness.subscribed(topic, {}, {}, {});
  const messageId = await harness.interfereDuring(interference, () => harness.publish(topic.name, body));
  await harness.live();
  expect(harness.accepted(messageId).toSorted()).toEqual(people.map(({ uuid }) => uuid).toSorted());
  expect(new Set(harness.posts.map((post) => post.body))).toEqual(new Set([body]));
});

it('each worker reads a long body once, and neither the deliveries table nor a task contains it', async () => {
  const topic = await harness.newTopic();
  await harness.subscribed(topic, ...Array.from({ length: 9 }, () => ({})));
  await harness.publish(topic.name, body);
  let reads = 0;
  harness.interfere({
    call: ({ command }, go) => {
      if (command === 'GetObject') reads += 1;
      return go();
    },
  });
  await harness.work('fanOut');
  expect(harness.bodiesIn('http').join('')).not.toContain('bodyBase64');
  expect(JSON.stringify(await harness.rows('deliveries'))).not.toContain('bodyBase64');
  await harness.work();
  expect([harness.posts.length, reads]).toEqual([9, 1]);
});
