/*
 * Promise: a failing receiver delays only its own deliveries and needs no operator to recover. If the receiver returns
 * 410, the service pauses the subscription. The service also pauses a subscription when all its deliveries have failed
 * for five days and a message has used up its retries. The pending messages of a paused subscription are marked as
 * failed but kept, so they can be redelivered.
 */
import { describe, expect, it } from 'vitest';
import { handler as redeliver } from '../../functions/deliveries/redeliver.ts';
import { handler as confirm } from '../../functions/subscriptions/confirm-subscription.ts';
import { handler as subscribe } from '../../functions/subscriptions/subscribe.ts';
import type { DeliveryTask } from '../../shared/domain/deliveries/task.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { accepts, type ChooseOutcome, rejects } from '../harness/fake-sender.ts';

const harness = useDeliveryHarness();
const hours = (count: number) => count * 3_600_000;
const days = (count: number) => hours(24 * count);
const returns410: ChooseOutcome = () => ({ class: 'http', status: 410 });
const only =
  (one: StoredSubscription | undefined, answering: ChooseOutcome): ChooseOutcome =>
  (post, tries) =>
    post.uuid === one?.uuid ? answering(post, tries) : { class: 'delivered' };
const statesOf = async (uuid: string | undefined) =>
  (await harness.rows('deliveries')).filter(({ taskKey }) => taskKey === `one#${uuid}`).map(({ state }) => state);

it('a failing subscription gets single deliveries, does not delay other subscriptions, and returns to batches after it recovers', async () => {
  const topic = await harness.newTopic();
  const [failing, ...healthy] = await harness.subscribed(topic, {}, {}, {});
  harness.answer(only(failing, rejects));
  await harness.publishAndWork(topic.name);
  expect(await harness.subscription(String(failing?.uuid))).toMatchObject({ isActive: true, isFailing: true });

  // The next message reaches all other subscriptions immediately. The failing subscription gets a single delivery.
  const second = await harness.publish(topic.name);
  await harness.work('fanOut');
  await harness.workOnce('http');
  expect(harness.accepted(second).toSorted()).toEqual(healthy.map(({ uuid }) => uuid).toSorted());
  expect(harness.tries(second, String(failing?.uuid))).toEqual([]);
  expect(harness.payloadsIn<DeliveryTask>('http')).toMatchObject([
    { isSingle: true, attempt: 0, subscriptionUuids: [failing?.uuid] },
  ]);

  harness.answer(accepts);
  await harness.live();
  expect(harness.accepted(second)).toContain(failing?.uuid);
  expect(await harness.subscription(String(failing?.uuid))).toMatchObject({ isActive: true, isFailing: false });
  await harness.publish(topic.name);
  await harness.work('fanOut', 'http');
  expect(harness.posts.filter(({ uuid }) => uuid === failing?.uuid)).toHaveLength(4);
});

describe('a subscription', () => {
  it('a subscription is paused and its pending messages fail as soon as the receiver returns 410', async () => {
    const topic = await harness.newTopic();
    const [leaving, staying] = await harness.subscribed(topic, {}, {});
    harness.answer(only(leaving, rejects));
    const waiting = await harness.publishAndWork(topic.name);
    harness.answer(only(leaving, returns410));
    const second = await harness.publishAndWork(topic.name);
    expect(await harness.subscription(String(leaving?.uuid))).toMatchObject({ isActive: false, pausedReason: 'gone' });
    const third = await harness.publish(topic.name);
    await harness.live();
    expect(harness.posts.filter(({ uuid }) => uuid === leaving?.uuid).map(({ messageId }) => messageId)).toEqual([
      waiting,
      second,
    ]);
    expect(harness.accepted(third)).toEqual([staying?.uuid]);
    expect(await statesOf(leaving?.uuid)).toEqual(['failed', 'failed']);
  });

  it.each([
    [
      'a subscription stays active until its deliveries have failed for 5 days, even if messages have used up their retries',
      days(5) - 1,
      undefined,
    ],
    [
      'a subscription is paused when its deliveries have failed for 5 days and a message has used up its retries',
      days(5),
      'undeliverable',
    ],
  ])('%s', async (_when, failingMs, reason) => {
    const topic = await harness.newTopic();
    const [person] = await harness.subscribed(topic, { maxRetries: 0 });
    harness.answer(rejects);
    await harness.publishAndWork(topic.name);
    harness.pass(failingMs);
    await harness.publishAndWork(topic.name);
    expect(harness.failures).toHaveLength(2);
    const stored = await harness.subscription(String(person?.uuid));
    expect([stored.isActive, stored.pausedReason]).toEqual([reason === undefined, reason]);
  });

  it('a paused subscription gets new messages once it is confirmed again, and its failed messages can be redelivered', async () => {
    const topic = await harness.newTopic();
    const address = 'http://receiver.example/back';
    const [person] = await harness.subscribed(topic, { address });
    const uuid = String(person?.uuid);
    harness.answer(returns410);
    const failed = await harness.publishAndWork(topic.name);
    const missed = await harness.publish(topic.name);
    await harness.live();
    harness.answer(accepts);
    expect(await harness.call(subscribe, { query: `topic=${topic.name}&address=${address}` })).toMatchObject({
      status: 200,
      json: { uuid, active: false },
    });
    await harness.live();
    const confirmations = harness.posts.filter(({ type }) => type === 'SubscriptionConfirmation');
    expect(confirmations).toHaveLength(1);
    expect(await harness.call(confirm, { query: `token=${confirmations[0]?.token}` })).toMatchObject({
      json: { active: true },
    });
    const stored = await harness.subscription(uuid);
    expect([stored.isActive, stored.pausedReason]).toEqual([true, undefined]);
    expect(await redeliver({ subscription: uuid })).toEqual({ redelivered: 1, expired: 0 });
    const next = await harness.publish(topic.name);
    await harness.live();
    expect(harness.accepted(failed)).toEqual([uuid]);
    expect(harness.accepted(next)).toEqual([uuid]);
    // The subscription does not get the message that was published during the pause.
    expect(harness.accepted(missed)).toEqual([]);
  });
});
