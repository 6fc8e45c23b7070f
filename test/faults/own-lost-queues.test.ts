/*
 * Promise: the ledger forgets nothing. Should every queue lose all it holds, at whatever stage a message is, the sweeper
 * finds what was due, and it still arrives, once. And a message that publish has answered 200 for is durable, whether it
 * was the queue or the ledger that took it.
 */
import { describe, expect, it } from 'vitest';
import { handler as redeliver } from '../../functions/deliveries/redeliver.ts';
import { handler as confirm } from '../../functions/subscriptions/confirm-subscription.ts';
import { handler as subscribe } from '../../functions/subscriptions/subscribe.ts';
import { handler as publish } from '../../functions/topics/publish-event.ts';
import type { StoredSubscription } from '../../shared/model/subscriptions/subscription.ts';
import { type Answering, type Call, refuses, usePlant } from '../harness/delivery-harness.ts';
import { mortal } from '../harness/mortal.ts';

const plant = usePlant({ subscriptionsPerTask: '2' });
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
  'between fan-out and the first attempts': () => plant.work('fanOut'),
  'after the first batch of attempts': async () => {
    await plant.work('fanOut');
    await plant.workOnce('http');
  },
  'while the retries wait': () => plant.work('fanOut', 'http'),
  'while the retries wait in their second hop': async () => {
    await plant.work('fanOut', 'http');
    plant.pass(minutes(16));
    await plant.work('retry');
  },
  'when the retries have become due': async () => {
    await plant.work('fanOut', 'http');
    for (let hop = 0; hop < 5; hop += 1) {
      plant.pass(minutes(15) + 1000);
      await plant.work('retry');
    }
  },
  'after a worker has died with its claim': async () => {
    await plant.work('fanOut');
    const process = mortal(isClaim, 'after');
    plant.interfere(process.interference);
    await plant.workOnce('http');
    plant.interfere({});
    expect((await plant.rows('deliveries')).filter(({ state }) => state === 'claimed')).not.toEqual([]);
  },
  'after a worker has died with the claim of a retry': async () => {
    await plant.work('fanOut', 'http');
    for (let hop = 0; hop < 5; hop += 1) {
      plant.pass(minutes(15) + 1000);
      await plant.work('retry');
    }
    const process = mortal(isClaim, 'after');
    plant.interfere(process.interference);
    await plant.workOnce('http');
    plant.interfere({});
    expect((await plant.rows('deliveries')).filter(({ state }) => state === 'claimed')).not.toEqual([]);
  },
  'when the audit has just sent what was missing': async () => {
    await plant.purge();
    plant.pass(minutes(11));
    await plant.sweep();
    await plant.work('fanOut');
  },
};

describe('when every queue is emptied', () => {
  it.each(Object.entries(stages))('%s, all that was due still arrives, once', async (_stage, reach) => {
    const topic = await plant.topic();
    const people = await plant.subscribed(topic, ...Array.from({ length: 5 }, () => ({ countdownSeconds: 3600 })), {
      protocol: 'email',
      address: 'a@example.org',
      countdownSeconds: 3600,
    });
    plant.answer(failsFor(1));
    const messageId = await plant.publish(topic.name);
    await reach();
    await plant.purge();
    expect(plant.nextShow()).toBeUndefined();
    await plant.live();
    expect(plant.accepted(messageId).toSorted()).toEqual(uuidsOf(people));
    expect(plant.posts).toHaveLength(2 * people.length);
    // Nobody is called earlier than his countdown after the attempt before.
    for (const { uuid } of people) {
      const [first, second] = plant.tries(messageId, uuid);
      expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(3_600_000);
    }
  });

  it('again and again, a message goes on through its whole policy', async () => {
    const topic = await plant.topic();
    const [person] = await plant.subscribed(topic, { countdownSeconds: 60, maxRetries: 6 });
    plant.answer(refuses);
    const messageId = await plant.publish(topic.name);
    for (let emptied = 0; emptied < 40 && (await plant.nextDue()) !== undefined; emptied += 1) {
      await plant.purge();
      plant.pass(minutes(6));
      await plant.sweep();
      await plant.work();
    }
    expect(plant.tries(messageId, String(person?.uuid))).toHaveLength(7);
    expect(plant.failures).toEqual([{ messageId, uuid: person?.uuid }]);
  });

  it('what an operator has asked for again still arrives', async () => {
    const topic = await plant.topic();
    const [person] = await plant.subscribed(topic, { maxRetries: 0 });
    plant.answer(failsFor(1));
    const messageId = await plant.publish(topic.name);
    await plant.work();
    expect(await redeliver({ messageId })).toEqual({ redelivered: 1, expired: 0 });
    await plant.purge();
    await plant.live();
    expect(plant.accepted(messageId)).toEqual([person?.uuid]);
  });

  it.each([
    ['before its first attempt', 0],
    ['while its retry waits', 1],
  ])('%s, a confirmation still arrives, with a token that confirms', async (_when, failures) => {
    const topic = await plant.topic();
    plant.answer(failsFor(failures));
    const query = `topic=${topic.name}&address=http://receiver.example/asked`;
    await plant.call(subscribe, { query });
    if (failures > 0) await plant.work();
    await plant.purge();
    await plant.live({ until: plant.now() + 2 * 3_600_000 });
    const accepted = plant.posts.filter(({ isAccepted }) => isAccepted);
    const asked = failures > 0 ? plant.posts : accepted;
    expect(asked.at(-1)?.type).toBe('SubscriptionConfirmation');
    expect(await plant.call(confirm, { query: `token=${asked.at(-1)?.token}` })).toMatchObject({
      status: 200,
      json: { active: true },
    });
  });
});

describe('publish', () => {
  const refusing =
    (...commands: string[]) =>
    <Result>({ command }: Call, go: () => Promise<Result>): Promise<Result> =>
      commands.includes(command) ? Promise.reject(new Error(`${command} is down`)) : go();

  it('whose message the queue does not take answers 200, and the audit delivers it', async () => {
    const topic = await plant.topic();
    const people = await plant.subscribed(topic, {}, {}, {});
    plant.interfere({ call: refusing('SendMessage') });
    const messageId = await plant.publish(topic.name);
    plant.interfere({});
    expect(plant.payloadsIn('fanOut')).toEqual([]);
    const publishedAt = plant.now();
    await plant.live();
    expect(plant.accepted(messageId).toSorted()).toEqual(uuidsOf(people));
    expect(Number(plant.posts[0]?.at) - publishedAt).toBeLessThanOrEqual(minutes(12));
  });

  it('whose message the ledger does not take answers 200, and fan-out opens the ledger', async () => {
    const topic = await plant.topic();
    const people = await plant.subscribed(topic, {}, {}, {});
    plant.interfere({ call: refusing('PutItem') });
    const messageId = await plant.publish(topic.name);
    plant.interfere({});
    expect(await plant.rows('deliveries')).toEqual([]);
    await plant.work('fanOut');
    await plant.purge();
    await plant.live();
    expect(plant.accepted(messageId).toSorted()).toEqual(uuidsOf(people));
  });

  it('whose message neither takes answers 500, and nothing of it is delivered', async () => {
    const topic = await plant.topic();
    await plant.subscribed(topic, {});
    plant.interfere({ call: refusing('SendMessage', 'PutItem') });
    const answer = await plant.call(publish, { path: { uuid: topic.name }, body: 'x' });
    plant.interfere({});
    expect(answer).toMatchObject({ status: 500, json: { code: 1500 } });
    await plant.live();
    expect(plant.posts).toEqual([]);
  });

  it.each([['SendMessage'], ['PutItem']])(
    'repeated with its key, after %s failed the first time, is delivered once',
    async (command) => {
      const topic = await plant.topic();
      const people = await plant.subscribed(topic, {}, {});
      const key = { 'idempotency-key': 'K' };
      plant.interfere({ call: refusing(command) });
      const first = await plant.publish(topic.name, 'once', key);
      plant.interfere({});
      const second = await plant.publish(topic.name, 'once', key);
      expect(second).toBe(first);
      await plant.live();
      expect(plant.accepted(first).toSorted()).toEqual(uuidsOf(people));
    },
  );
});
