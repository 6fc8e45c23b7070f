/*
 * Promise: ten minutes after its publication a message is audited: whoever was subscribed then and has no outcome gets it
 * now, nobody else does, and a message that everybody has its outcome of is not looked at again.
 */
import { describe, expect, it } from 'vitest';
import { handler as sweep } from '../../functions/deliveries/sweep.ts';
import { handler as confirm } from '../../functions/subscriptions/confirm-subscription.ts';
import type { StoredSubscription } from '../../shared/model/subscriptions/subscription.ts';
import { hiding, refuses, usePlant } from '../harness/delivery-harness.ts';
import { tokenOf } from '../support/builders.ts';

const plant = usePlant({ subscriptionsPerTask: '4' });
const minutes = (count: number) => count * 60_000;
const uuidsOf = (people: readonly StoredSubscription[]) => people.map(({ uuid }) => uuid).toSorted();

/** The messages that the sweeper still has to look at. */
const open = async () =>
  (await plant.rows('deliveries')).filter(({ sweepShard }) => String(sweepShard).startsWith('due'));

describe('one whom fan-out missed', () => {
  it.each([
    ['beside others of its task', 3],
    ['alone in its task', 0],
  ])('%s gets the message by the audit, once, and then it is settled', async (_where, others) => {
    const topic = await plant.topic();
    const [missed, ...rest] = await plant.subscribed(topic, ...Array.from({ length: 1 + others }, () => ({})));
    plant.interfere(hiding(missed));
    const messageId = await plant.publish(topic.name);
    await plant.work();
    plant.interfere({});
    expect(plant.accepted(messageId).toSorted()).toEqual(uuidsOf(rest));
    await plant.live();
    expect(plant.accepted(messageId).toSorted()).toEqual(uuidsOf([missed as StoredSubscription, ...rest]));
    expect(plant.now()).toBeLessThan(Number(plant.posts[0]?.at) + minutes(45));
  });

  it('gets it even when the queue loses the task that the audit made', async () => {
    const topic = await plant.topic();
    const people = await plant.subscribed(topic, {}, {});
    plant.interfere(hiding(people[0]));
    const messageId = await plant.publish(topic.name);
    await plant.work();
    plant.interfere({});
    plant.pass(minutes(11));
    await plant.sweep();
    await plant.work('fanOut');
    await plant.workOnce('http');
    await plant.purge();
    await plant.live();
    expect(plant.accepted(messageId).toSorted()).toEqual(uuidsOf(people));
  });

  it('is retried by its policy and reported when it ends', async () => {
    const topic = await plant.topic();
    const people = await plant.subscribed(topic, { maxRetries: 2 }, {});
    plant.interfere(hiding(people[0]));
    const messageId = await plant.publish(topic.name);
    await plant.work();
    plant.interfere({});
    plant.answer(refuses);
    await plant.live();
    expect(plant.tries(messageId, String(people[0]?.uuid))).toHaveLength(3);
    expect(plant.failures).toEqual([{ messageId, uuid: people[0]?.uuid }]);
  });
});

describe('an audit', () => {
  it('sends nothing to one who confirmed after the publication, nor to one who left', async () => {
    const topic = await plant.topic();
    const pending = { isActive: false, tokenExpiresAt: plant.now() + minutes(60) };
    const [there, later, leaving] = await plant.subscribed(topic, {}, pending, {});
    plant.interfere(hiding(there, leaving));
    const messageId = await plant.publish(topic.name);
    await plant.work();
    plant.interfere({});
    plant.pass(minutes(1));
    const confirmed = await plant.call(confirm, { query: `token=${tokenOf(String(later?.uuid))}` });
    expect(confirmed).toMatchObject({ status: 200, json: { active: true } });
    await plant.store().noteHealth(leaving as StoredSubscription, { pause: 'complaint' });
    await plant.live();
    expect(plant.accepted(messageId)).toEqual([there?.uuid]);
  });

  it('that finds nothing missing settles the message, which is not audited again', async () => {
    const topic = await plant.topic();
    await plant.subscribed(topic, {}, {});
    await plant.publish(topic.name);
    await plant.work();
    expect(await open()).toHaveLength(1);
    plant.pass(minutes(11));
    expect(await sweep({})).toMatchObject({ audited: 1 });
    await plant.work();
    expect(await open()).toEqual([]);
    plant.pass(minutes(60));
    expect(await sweep({})).toEqual({ audited: 0, resumed: 0, asked: 0, ended: 0 });
    expect(plant.posts).toHaveLength(2);
  });

  it('does not wait for retries: they have rows of their own', async () => {
    const topic = await plant.topic();
    await plant.subscribed(topic, { countdownSeconds: 24 * 3600 });
    plant.answer(refuses);
    const messageId = await plant.publish(topic.name);
    await plant.work();
    plant.pass(minutes(11));
    await sweep({});
    await plant.work();
    expect((await open()).map(({ taskKey }) => taskKey)).not.toContain('message');
    expect((await open()).map((row) => row.messageId)).toEqual([messageId]);
  });

  it('settles a message that nobody was to get', async () => {
    const topic = await plant.topic();
    await plant.subscribed(topic, { isActive: false });
    await plant.publish(topic.name);
    await plant.live();
    expect(plant.posts).toEqual([]);
    expect(await open()).toEqual([]);
    expect(plant.now()).toBeLessThan(Date.UTC(2024, 2, 1, 12, 20));
  });

  it('leaves alone a task that is being worked on, and comes back', async () => {
    const topic = await plant.topic();
    const [person] = await plant.subscribed(topic, {});
    const messageId = await plant.publish(topic.name);
    plant.pass(minutes(10));
    await plant.work('fanOut');
    // The receiver takes its time, while the sweeper comes by.
    plant.answer(async () => {
      plant.pass(10_000);
      await sweep({});
      await plant.work('fanOut');
      expect(plant.payloadsIn('http')).toHaveLength(1);
      return { class: 'delivered' };
    });
    await plant.work('http');
    expect(await open()).toHaveLength(1);
    await plant.live();
    expect(plant.accepted(messageId)).toEqual([person?.uuid]);
    expect(await open()).toEqual([]);
  });
});
