/*
 * Promise: a receiver that fails holds up nobody but itself, recovers by itself, and is given up only when it asks for it
 * (410) or when a message has used up its whole policy and nothing has reached it since a first failure days ago; what waits for it is
 * then kept as failed, and can be delivered again once it is back.
 */
import { describe, expect, it } from 'vitest';
import { handler as redeliver } from '../../functions/deliveries/redeliver.ts';
import { handler as confirm } from '../../functions/subscriptions/confirm-subscription.ts';
import { handler as subscribe } from '../../functions/subscriptions/subscribe.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import type { DeliveryTask } from '../../shared/model/deliveries/task.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { type Answering, accepts, refuses } from '../harness/fake-sender.ts';

const harness = useDeliveryHarness();
const hours = (count: number) => count * 3_600_000;
const days = (count: number) => hours(24 * count);
const gone: Answering = () => ({ class: 'http', status: 410 });
const only =
  (one: StoredSubscription | undefined, answering: Answering): Answering =>
  (post, tries) =>
    post.uuid === one?.uuid ? answering(post, tries) : { class: 'delivered' };
const statesOf = async (uuid: string | undefined) =>
  (await harness.rows('deliveries')).filter(({ taskKey }) => taskKey === `one#${uuid}`).map(({ state }) => state);

describe('a subscription that fails', () => {
  it('is moved to a task of its own and holds up nobody; once it recovers it shares tasks again', async () => {
    const topic = await harness.newTopic();
    const [ill, ...well] = await harness.subscribed(topic, {}, {}, {});
    harness.answer(only(ill, refuses));
    await harness.publish(topic.name);
    await harness.work();
    expect(await harness.subscription(String(ill?.uuid))).toMatchObject({ isActive: true, isFailing: true });

    // The next message: nobody waits for the one that fails, whose attempt is a task for it alone.
    const second = await harness.publish(topic.name);
    await harness.work('fanOut');
    await harness.workOnce('http');
    expect(harness.accepted(second).toSorted()).toEqual(well.map(({ uuid }) => uuid).toSorted());
    expect(harness.tries(second, String(ill?.uuid))).toEqual([]);
    expect(harness.payloadsIn<DeliveryTask>('http')).toMatchObject([
      { isSingle: true, attempt: 0, subscriptionUuids: [ill?.uuid] },
    ]);

    harness.answer(accepts);
    await harness.live();
    expect(harness.accepted(second)).toContain(ill?.uuid);
    expect(await harness.subscription(String(ill?.uuid))).toMatchObject({ isActive: true, isFailing: false });
    await harness.publish(topic.name);
    await harness.work('fanOut', 'http');
    expect(harness.posts.filter(({ uuid }) => uuid === ill?.uuid)).toHaveLength(4);
  });

  it('has the whole of its policy although its first attempt was moved', async () => {
    const topic = await harness.newTopic();
    const [ill] = await harness.subscribed(topic, { isFailing: true, maxRetries: 3 }, {});
    harness.answer(only(ill, refuses));
    const messageId = await harness.publish(topic.name);
    await harness.live();
    expect(harness.tries(messageId, String(ill?.uuid))).toHaveLength(4);
  });
});

describe('Retry-After', () => {
  it.each([
    ['longer than countdown is obeyed', 7200, 7200],
    ['shorter than countdown does not hasten the retry', 5, 60],
  ])('%s', async (_what, retryAfterSeconds, leastSeconds) => {
    const topic = await harness.newTopic();
    const [person] = await harness.subscribed(topic, { countdownSeconds: 60 });
    harness.answer((_, tries) =>
      tries === 0 ? { class: 'http', status: 429, retryAfterSeconds } : { class: 'delivered' },
    );
    const messageId = await harness.publish(topic.name);
    await harness.live();
    const [first, second] = harness.tries(messageId, String(person?.uuid));
    const waited = (Number(second?.at) - Number(first?.at)) / 1000;
    expect(waited).toBeGreaterThanOrEqual(leastSeconds);
    expect(waited).toBeLessThanOrEqual(leastSeconds + 30);
  });
});

describe('a subscription is given up', () => {
  it('at once when the receiver answers 410: what waits for it fails, nothing more is sent', async () => {
    const topic = await harness.newTopic();
    const [leaving, staying] = await harness.subscribed(topic, {}, {});
    harness.answer(only(leaving, refuses));
    const waiting = await harness.publish(topic.name);
    await harness.work();
    harness.answer(only(leaving, gone));
    const second = await harness.publish(topic.name);
    await harness.work();
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
    ['not before it has been failing for 5 days, though policies are used up', days(5) - 1, undefined],
    ['when it has been failing for 5 days and a policy is used up', days(5), 'undeliverable'],
  ])('%s', async (_when, failingMs, reason) => {
    const topic = await harness.newTopic();
    const [person] = await harness.subscribed(topic, { maxRetries: 0 });
    harness.answer(refuses);
    await harness.publish(topic.name);
    await harness.work();
    harness.pass(failingMs);
    await harness.publish(topic.name);
    await harness.work();
    expect(harness.failures).toHaveLength(2);
    const stored = await harness.subscription(String(person?.uuid));
    expect([stored.isActive, stored.pausedReason]).toEqual([reason === undefined, reason]);
  });

  it('not because its topic was quiet: an outage of 6 seconds after 6 days costs it one message', async () => {
    const topic = await harness.newTopic();
    const [person] = await harness.subscribed(topic, { countdownSeconds: 1, maxRetries: 0 });
    harness.answer(accepts);
    await harness.publish(topic.name);
    await harness.live();
    harness.pass(days(6));
    harness.answer(refuses);
    await harness.publish(topic.name);
    await harness.work();
    harness.pass(6000);
    harness.answer(accepts);
    const after = await harness.publish(topic.name);
    await harness.live();
    expect(harness.failures).toHaveLength(1);
    expect(harness.accepted(after)).toEqual([person?.uuid]);
    expect(await harness.subscription(String(person?.uuid))).toMatchObject({ isActive: true, isFailing: false });
  });

  it('not while its policy still has retries, however long nothing reaches it', async () => {
    const topic = await harness.newTopic();
    const [person] = await harness.subscribed(topic, { countdownSeconds: 86_400, maxRetries: 8 });
    harness.answer(refuses);
    await harness.publish(topic.name);
    await harness.live({ until: harness.now() + days(8) - hours(1), mostEvents: 1000 });
    expect(harness.posts).toHaveLength(8);
    expect(await harness.subscription(String(person?.uuid))).toMatchObject({ isActive: true, isFailing: true });
    await harness.live({ mostEvents: 1000 });
    expect(harness.posts).toHaveLength(9);
    expect(await harness.subscription(String(person?.uuid))).toMatchObject({
      isActive: false,
      pausedReason: 'undeliverable',
    });
  });

  it('not because of one message, while others reach it', async () => {
    const topic = await harness.newTopic();
    const [person] = await harness.subscribed(topic, { countdownSeconds: 86_400, maxRetries: 6 });
    const unwanted = await harness.publish(topic.name, 'unwanted');
    harness.answer((post, tries) => (post.messageId === unwanted ? refuses(post, tries) : { class: 'delivered' }));
    await harness.live({ until: harness.now() + days(3), mostEvents: 1000 });
    const other = await harness.publish(topic.name, 'other');
    await harness.live({ mostEvents: 1000 });
    expect(harness.accepted(other)).toEqual([person?.uuid]);
    expect(harness.failures).toEqual([{ messageId: unwanted, uuid: person?.uuid }]);
    expect(await harness.subscription(String(person?.uuid))).toMatchObject({ isActive: true });
  });

  it('until it is subscribed again and confirmed: then what had failed can be delivered', async () => {
    const topic = await harness.newTopic();
    const address = 'http://receiver.example/back';
    const [person] = await harness.subscribed(topic, { address });
    const uuid = String(person?.uuid);
    harness.answer(gone);
    const failed = await harness.publish(topic.name);
    await harness.work();
    const missed = await harness.publish(topic.name);
    await harness.live();
    harness.answer(accepts);
    expect(await harness.call(subscribe, { query: `topic=${topic.name}&address=${address}` })).toMatchObject({
      status: 200,
      json: { uuid, active: false },
    });
    await harness.live();
    const asked = harness.posts.filter(({ type }) => type === 'SubscriptionConfirmation');
    expect(asked).toHaveLength(1);
    expect(await harness.call(confirm, { query: `token=${asked[0]?.token}` })).toMatchObject({
      json: { active: true },
    });
    const stored = await harness.subscription(uuid);
    expect([stored.isActive, stored.pausedReason]).toEqual([true, undefined]);
    expect(await redeliver({ subscription: uuid })).toEqual({ redelivered: 1, expired: 0 });
    const next = await harness.publish(topic.name);
    await harness.live();
    expect(harness.accepted(failed)).toEqual([uuid]);
    expect(harness.accepted(next)).toEqual([uuid]);
    // What was published while it was paused is not meant for it.
    expect(harness.accepted(missed)).toEqual([]);
  });
});
