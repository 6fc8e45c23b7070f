/*
 * Promise: the ledger forgets nothing. Should every queue lose all it holds, at whatever stage a message is, the sweeper
 * finds what was due, and it still arrives, once.
 */
import { describe, expect, it } from 'vitest';
import { handler as redeliver } from '../../functions/deliveries/redeliver.ts';
import { handler as confirm } from '../../functions/subscriptions/confirm-subscription.ts';
import { handler as subscribe } from '../../functions/subscriptions/subscribe.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { type Answering, refuses } from '../harness/fake-sender.ts';
import type { Call } from '../harness/interference.ts';
import { mortal } from '../harness/mortal-process.ts';

const harness = useDeliveryHarness({ subscriptionsPerTask: '2' });
const failsFor =
  (times: number): Answering =>
  (post, tries) =>
    tries < times ? refuses(post, tries) : { class: 'delivered' };
const uuidsOf = (people: readonly StoredSubscription[]) => people.map(({ uuid }) => uuid).toSorted();
const isClaim = ({ command }: Call) => command === 'UpdateItem';
const minutes = (count: number) => count * 60_000;

/** How far a message has come when every queue is emptied. */
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
  'when the retries have become due': async () => {
    await harness.work('fanOut', 'http');
    for (let hop = 0; hop < 5; hop += 1) {
      harness.pass(minutes(15) + 1000);
      await harness.work('retry');
    }
  },
  'after a worker has died with its claim': async () => {
    await harness.work('fanOut');
    const process = mortal(isClaim, 'after');
    harness.interfere(process.interference);
    await harness.workOnce('http');
    harness.interfere({});
    expect((await harness.rows('deliveries')).filter(({ state }) => state === 'claimed')).not.toEqual([]);
  },
  'after a worker has died with the claim of a retry': async () => {
    await harness.work('fanOut', 'http');
    for (let hop = 0; hop < 5; hop += 1) {
      harness.pass(minutes(15) + 1000);
      await harness.work('retry');
    }
    const process = mortal(isClaim, 'after');
    harness.interfere(process.interference);
    await harness.workOnce('http');
    harness.interfere({});
    expect((await harness.rows('deliveries')).filter(({ state }) => state === 'claimed')).not.toEqual([]);
  },
  'when the audit has just sent what was missing': async () => {
    await harness.purge();
    harness.pass(minutes(11));
    await harness.sweep();
    await harness.work('fanOut');
  },
};

describe('when every queue is emptied', () => {
  it.each(Object.entries(stages))('%s, all that was due still arrives, once', async (_stage, reach) => {
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
    // Nobody is called earlier than his countdown after the attempt before.
    for (const { uuid } of people) {
      const [first, second] = harness.tries(messageId, uuid);
      expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(3_600_000);
    }
  });

  it('again and again, a message goes on through its whole policy', async () => {
    const topic = await harness.newTopic();
    const [person] = await harness.subscribed(topic, { countdownSeconds: 60, maxRetries: 6 });
    harness.answer(refuses);
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

  it('what an operator has asked for again still arrives', async () => {
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
    ['before its first attempt', 0],
    ['while its retry waits', 1],
  ])('%s, a confirmation still arrives, with a token that confirms', async (_when, failures) => {
    const topic = await harness.newTopic();
    harness.answer(failsFor(failures));
    const query = `topic=${topic.name}&address=http://receiver.example/asked`;
    await harness.call(subscribe, { query });
    if (failures > 0) await harness.work();
    await harness.purge();
    await harness.live({ until: harness.now() + 2 * 3_600_000 });
    const accepted = harness.posts.filter(({ isAccepted }) => isAccepted);
    const asked = failures > 0 ? harness.posts : accepted;
    expect(asked.at(-1)?.type).toBe('SubscriptionConfirmation');
    expect(await harness.call(confirm, { query: `token=${asked.at(-1)?.token}` })).toMatchObject({
      status: 200,
      json: { active: true },
    });
  });
});
