/*
 * Promise: the deliveries table does not depend on queues. If every queue loses its content at any stage of a delivery,
 * the sweeper finds all due deliveries, and each delivery still arrives once.
 */
import { describe, expect, it } from 'vitest';
import { handler as redeliver } from '../../functions/deliveries/redeliver.ts';
import { handler as confirm } from '../../functions/subscriptions/confirm-subscription.ts';
import { handler as subscribe } from '../../functions/subscriptions/subscribe.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { type ChooseOutcome, rejects } from '../harness/fake-sender.ts';
import type { Call } from '../harness/interference.ts';
import { createMortalProcess } from '../harness/mortal-process.ts';

const harness = useDeliveryHarness({ subscriptionsPerTask: 2 });
const failsFor =
  (times: number): ChooseOutcome =>
  (post, tries) =>
    tries < times ? rejects(post, tries) : { class: 'delivered' };
const uuidsOf = (people: readonly StoredSubscription[]) => people.map(({ uuid }) => uuid).toSorted();
const isLease = ({ command }: Call) => command === 'UpdateItem';
const minutes = (count: number) => count * 60_000;

/** Functions that advance a message to the stage at which the test empties all queues. */
const stages: Record<string, () => Promise<unknown>> = {
  'before fan-out': async () => {},
  'between fan-out and the first attempts': () => harness.work('fanOut'),
  'after the first batch of attempts': async () => {
    await harness.work('fanOut');
    await harness.workOnce('http');
  },
  'while the retries wait': () => harness.work('fanOut', 'http'),
  'while the retries wait in their second hop': async () => {
    await harness.work('fanOut', 'http');
    harness.pass(minutes(16));
    await harness.work('retry');
  },
  'after the retries have become due': async () => {
    await harness.work('fanOut', 'http');
    for (let hop = 0; hop < 5; hop += 1) {
      harness.pass(minutes(15) + 1000);
      await harness.work('retry');
    }
  },
  'after a worker has crashed while holding a lease': async () => {
    await harness.work('fanOut');
    const process = createMortalProcess(isLease, 'after');
    harness.interfere(process.interference);
    await harness.workOnce('http');
    harness.interfere({});
    expect((await harness.rows('deliveries')).filter(({ state }) => state === 'leased')).not.toEqual([]);
  },
  'after a worker has crashed while holding the lease on a retry': async () => {
    await harness.work('fanOut', 'http');
    for (let hop = 0; hop < 5; hop += 1) {
      harness.pass(minutes(15) + 1000);
      await harness.work('retry');
    }
    const process = createMortalProcess(isLease, 'after');
    harness.interfere(process.interference);
    await harness.workOnce('http');
    harness.interfere({});
    expect((await harness.rows('deliveries')).filter(({ state }) => state === 'leased')).not.toEqual([]);
  },
  'after reconciliation has sent the missing deliveries': async () => {
    await harness.purge();
    harness.pass(minutes(11));
    await harness.sweep();
    await harness.work('fanOut');
  },
};

describe('when all queues are emptied', () => {
  it.each(Object.entries(stages))('%s, all due messages still arrive once', async (_stage, reach) => {
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

  it('several times, a message still gets all its retries', async () => {
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

  it('after an operator has redelivered a message, the message still arrives', async () => {
    const topic = await harness.newTopic();
    const [person] = await harness.subscribed(topic, { maxRetries: 0 });
    harness.answer(failsFor(1));
    const messageId = await harness.publish(topic.name);
    await harness.work();
    expect(await redeliver({ messageId })).toEqual({ redelivered: 1, expired: 0 });
    await harness.purge();
    await harness.live();
    expect(harness.accepted(messageId)).toEqual([person?.uuid]);
  });

  it.each([
    ['before the first attempt', 0],
    ['while the retry waits', 1],
  ])('%s, a confirmation request still arrives with a valid token', async (_when, failures) => {
    const topic = await harness.newTopic();
    harness.answer(failsFor(failures));
    const query = `topic=${topic.name}&address=http://receiver.example/hook`;
    await harness.call(subscribe, { query });
    if (failures > 0) await harness.work();
    await harness.purge();
    await harness.live({ until: harness.now() + 2 * 3_600_000 });
    const accepted = harness.posts.filter(({ isAccepted }) => isAccepted);
    const requests = failures > 0 ? harness.posts : accepted;
    expect(requests.at(-1)?.type).toBe('SubscriptionConfirmation');
    expect(await harness.call(confirm, { query: `token=${requests.at(-1)?.token}` })).toMatchObject({
      status: 200,
      json: { active: true },
    });
  });
});
