/*
 * Promise: the service reconciles each message ten minutes after its publication. Reconciliation sends the message to
 * every subscription that was active at publication and has no recorded outcome, and to no other subscription. A
 * message that is complete is not reconciled again.
 */
import { expect, it } from 'vitest';
import { handler as sweep } from '../../functions/deliveries/sweep.ts';
import { handler as confirm } from '../../functions/subscriptions/confirm-subscription.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { tokenOf } from '../harness/builders.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { rejects } from '../harness/fake-sender.ts';
import { hiding } from '../harness/interference.ts';

const harness = useDeliveryHarness({ subscriptionsPerTask: 4 });
const minutes = (count: number) => count * 60_000;
const uuidsOf = (people: readonly StoredSubscription[]) => people.map(({ uuid }) => uuid).toSorted();

/** Returns the rows that the sweeper has not finished processing. */
const unprocessed = async () =>
  (await harness.rows('deliveries')).filter(({ sweepShard }) => String(sweepShard).startsWith('due'));

it.each([
  ['a subscription that shares its task with other subscriptions', 3],
  ['a subscription that is alone in its task', 0],
])('%s gets the missed message once, and reconciliation then marks the message as complete', async (_where, others) => {
  const topic = await harness.newTopic();
  const [missed, ...rest] = await harness.subscribed(topic, ...Array.from({ length: 1 + others }, () => ({})));
  const messageId = await harness.interfereDuring(hiding(missed), () => harness.publishAndWork(topic.name));
  expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf(rest));
  await harness.live();
  expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf([missed as StoredSubscription, ...rest]));
  expect(harness.now()).toBeLessThan(Number(harness.posts[0]?.at) + minutes(55));
});

it('a subscription that fan-out missed gets every retry of its policy, and the final failure is reported', async () => {
  const topic = await harness.newTopic();
  const people = await harness.subscribed(topic, { maxRetries: 2 }, {});
  const messageId = await harness.interfereDuring(hiding(people[0]), () => harness.publishAndWork(topic.name));
  harness.answer(rejects);
  await harness.live();
  expect(harness.tries(messageId, String(people[0]?.uuid))).toHaveLength(3);
  expect(harness.failures).toEqual([{ messageId, uuid: people[0]?.uuid }]);
});

it('reconciliation sends no message to a subscription that was confirmed or paused after publication', async () => {
  const topic = await harness.newTopic();
  const [active, late, leaving] = await harness.subscribed(topic, {}, { isActive: false }, {});
  const messageId = await harness.interfereDuring(hiding(active, leaving), () => harness.publishAndWork(topic.name));
  harness.pass(minutes(1));
  const confirmed = await harness.call(confirm, { query: `token=${tokenOf(String(late?.uuid))}` });
  expect(confirmed).toMatchObject({ status: 200, json: { active: true } });
  await harness.subscriptionStore().recordHealth(leaving as StoredSubscription, { pause: 'complaint' });
  await harness.live();
  expect(harness.accepted(messageId)).toEqual([active?.uuid]);
});

it('reconciliation does not wait for a retry, because each retry has its own row', async () => {
  const topic = await harness.newTopic();
  await harness.subscribed(topic, { countdownSeconds: 24 * 3600 });
  harness.answer(rejects);
  const messageId = await harness.publishAndWork(topic.name);
  harness.pass(minutes(11));
  await sweep({});
  await harness.work();
  expect((await unprocessed()).map(({ taskKey }) => taskKey)).not.toContain('message');
  expect((await unprocessed()).map((row) => row.messageId)).toContain(messageId);
});

it('reconciliation marks a message without recipients as complete', async () => {
  const topic = await harness.newTopic();
  await harness.subscribed(topic, { isActive: false });
  await harness.publish(topic.name);
  await harness.live();
  expect(harness.posts).toEqual([]);
  expect(await unprocessed()).toEqual([]);
  expect(harness.now()).toBeLessThan(Date.UTC(2024, 2, 1, 12, 20));
});

it('reconciliation skips a task that a worker is processing, and checks it again later', async () => {
  const topic = await harness.newTopic();
  const [person] = await harness.subscribed(topic, {});
  const messageId = await harness.publish(topic.name);
  harness.pass(minutes(10));
  await harness.work('fanOut');
  // The sweeper runs while the worker is waiting for a slow receiver.
  harness.answer(async () => {
    harness.pass(10_000);
    await sweep({});
    await harness.work('fanOut');
    expect(harness.payloadsIn('http')).toHaveLength(1);
    return { class: 'delivered' };
  });
  await harness.work('http');
  expect(await unprocessed()).toHaveLength(1);
  await harness.live();
  expect(harness.accepted(messageId)).toEqual([person?.uuid]);
  expect(await unprocessed()).toEqual([]);
});

it('if its fan-out is lost, a message reaches http subscribers immediately and email subscribers after the delay', async () => {
  const topic = await harness.newTopic();
  const [http, email] = await harness.subscribed(topic, {}, { protocol: 'email', address: 'reader@example.org' });
  const messageId = await harness.publish(topic.name);
  await harness.purge('fanOut');
  const fillQueue = () => harness.sqs.server.sendMessage('email', 'from another client', { delaySeconds: 900 });
  for (let rounds = 0; rounds < 6; rounds += 1) {
    fillQueue();
    harness.pass(minutes(14));
    await harness.sweep();
    await harness.work('fanOut', 'http');
    await harness.purge('email');
  }
  expect(harness.accepted(messageId)).toEqual([http?.uuid]);
  await harness.live();
  expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf([http, email] as StoredSubscription[]));
  expect(harness.lines.error).toEqual([]);
});
