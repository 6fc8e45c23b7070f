/*
 * Promise: each delivery arrives once, even if all queues lose their content at any stage of the delivery. The
 * deliveries table contains all due deliveries, and the sweeper finds them there.
 */
import { expect, it } from 'vitest';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { type ChooseOutcome, rejects } from '../harness/fake-sender.ts';

const harness = useDeliveryHarness({ subscriptionsPerTask: 2 });
const failsFor =
  (times: number): ChooseOutcome =>
  (post, tries) =>
    tries < times ? rejects(post, tries) : { class: 'delivered' };
const uuidsOf = (people: readonly StoredSubscription[]) => people.map(({ uuid }) => uuid).toSorted();
const minutes = (count: number) => count * 60_000;

/** The stages at which the test empties all queues, and a function that brings a message to each stage. */
const stages: Record<string, () => Promise<unknown>> = {
  'all queues are emptied before fan-out': async () => {},
  'all queues are emptied between fan-out and the first attempts': () => harness.work('fanOut'),
  'all queues are emptied after the first batch of attempts': async () => {
    await harness.work('fanOut');
    await harness.workOnce('http');
  },
  'all queues are purged while retries wait': () => harness.work('fanOut', 'http'),
  'all queues are purged while retries wait in their second hop': async () => {
    await harness.work('fanOut', 'http');
    harness.pass(minutes(16));
    await harness.work('retry');
  },
  'all queues are emptied after the retries have become due': async () => {
    await harness.work('fanOut', 'http');
    for (let hop = 0; hop < 5; hop += 1) {
      harness.pass(minutes(15) + 1000);
      await harness.work('retry');
    }
  },
  'all queues are emptied after reconciliation has sent the missing deliveries': async () => {
    await harness.purge();
    harness.pass(minutes(11));
    await harness.sweep();
    await harness.work('fanOut');
  },
};

it.each(Object.entries(stages))('all due messages still arrive once if %s', async (_stage, reach) => {
  const topic = await harness.newTopic();
  const people = await harness.subscribed(topic, ...Array.from({ length: 5 }, () => ({ countdownSeconds: 3600 })), {
    protocol: 'email',
    address: 'a@example.org',
    countdownSeconds: 3600,
  });
  harness.answer(failsFor(1));
  const messageId = await harness.publish(topic.name);
  await reach();
  await harness.purge();
  expect(harness.nextShow()).toBeUndefined();
  await harness.live();
  expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf(people));
  expect(harness.posts).toHaveLength(2 * people.length);
  // No receiver gets a retry before its countdown ends.
  for (const { uuid } of people) {
    const [first, second] = harness.tries(messageId, uuid);
    expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(3_600_000);
  }
});

it('a message still gets all its retries if all queues are emptied several times', async () => {
  const topic = await harness.newTopic();
  const [person] = await harness.subscribed(topic, { countdownSeconds: 60, maxRetries: 6 });
  harness.answer(rejects);
  const messageId = await harness.publish(topic.name);
  for (let emptied = 0; emptied < 40 && (await harness.nextDue()) !== undefined; emptied += 1) {
    await harness.purge();
    harness.pass(minutes(6));
    await harness.sweep();
    await harness.work();
  }
  expect(harness.tries(messageId, String(person?.uuid))).toHaveLength(7);
  expect(harness.failures).toEqual([{ messageId, uuid: person?.uuid }]);
});
