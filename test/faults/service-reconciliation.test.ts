/*
 * Promise: ten minutes after its publication a message is audited: whoever was subscribed then and has no outcome gets it
 * now, nobody else does, and a message that everybody has its outcome of is not looked at again.
 */
import { describe, expect, it } from 'vitest';
import { handler as sweep } from '../../functions/deliveries/sweep.ts';
import { handler as confirm } from '../../functions/subscriptions/confirm-subscription.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { tokenOf } from '../harness/builders.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { refuses } from '../harness/fake-sender.ts';
import { hiding } from '../harness/interference.ts';

const harness = useDeliveryHarness({ subscriptionsPerTask: '4' });
const minutes = (count: number) => count * 60_000;
const uuidsOf = (people: readonly StoredSubscription[]) => people.map(({ uuid }) => uuid).toSorted();

/** The messages that the sweeper still has to look at. */
const open = async () =>
  (await harness.rows('deliveries')).filter(({ sweepShard }) => String(sweepShard).startsWith('due'));

describe('one whom fan-out missed', () => {
  it.each([
    ['beside others of its task', 3],
    ['alone in its task', 0],
  ])('%s gets the message by the audit, once, and then it is settled', async (_where, others) => {
    const topic = await harness.newTopic();
    const [missed, ...rest] = await harness.subscribed(topic, ...Array.from({ length: 1 + others }, () => ({})));
    harness.interfere(hiding(missed));
    const messageId = await harness.publish(topic.name);
    await harness.work();
    harness.interfere({});
    expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf(rest));
    await harness.live();
    expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf([missed as StoredSubscription, ...rest]));
    expect(harness.now()).toBeLessThan(Number(harness.posts[0]?.at) + minutes(55));
  });

  it('gets it even when the queue loses the task that the audit made', async () => {
    const topic = await harness.newTopic();
    const people = await harness.subscribed(topic, {}, {});
    harness.interfere(hiding(people[0]));
    const messageId = await harness.publish(topic.name);
    await harness.work();
    harness.interfere({});
    harness.pass(minutes(11));
    await harness.sweep();
    await harness.work('fanOut');
    await harness.workOnce('http');
    await harness.purge();
    await harness.live();
    expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf(people));
  });

  it('is retried by its policy and reported when it ends', async () => {
    const topic = await harness.newTopic();
    const people = await harness.subscribed(topic, { maxRetries: 2 }, {});
    harness.interfere(hiding(people[0]));
    const messageId = await harness.publish(topic.name);
    await harness.work();
    harness.interfere({});
    harness.answer(refuses);
    await harness.live();
    expect(harness.tries(messageId, String(people[0]?.uuid))).toHaveLength(3);
    expect(harness.failures).toEqual([{ messageId, uuid: people[0]?.uuid }]);
  });
});

describe('an audit', () => {
  it('sends nothing to one who confirmed after the publication, nor to one who left', async () => {
    const topic = await harness.newTopic();
    const [there, later, leaving] = await harness.subscribed(topic, {}, { isActive: false }, {});
    harness.interfere(hiding(there, leaving));
    const messageId = await harness.publish(topic.name);
    await harness.work();
    harness.interfere({});
    harness.pass(minutes(1));
    const confirmed = await harness.call(confirm, { query: `token=${tokenOf(String(later?.uuid))}` });
    expect(confirmed).toMatchObject({ status: 200, json: { active: true } });
    await harness.subscriptionStore().noteHealth(leaving as StoredSubscription, { pause: 'complaint' });
    await harness.live();
    expect(harness.accepted(messageId)).toEqual([there?.uuid]);
  });

  it('that finds nothing missing settles the message, which is not audited again', async () => {
    const topic = await harness.newTopic();
    await harness.subscribed(topic, {}, {});
    await harness.publish(topic.name);
    await harness.work();
    expect(await open()).toHaveLength(1);
    harness.pass(minutes(11));
    expect(await sweep({})).toMatchObject({ audited: 1 });
    await harness.work();
    expect(await open()).toEqual([]);
    harness.pass(minutes(60));
    expect(await sweep({})).toEqual({ audited: 0, resumed: 0, asked: 0, ended: 0, putOff: 0, stuck: 0 });
    expect(harness.posts).toHaveLength(2);
  });

  it('does not wait for retries: they have rows of their own', async () => {
    const topic = await harness.newTopic();
    await harness.subscribed(topic, { countdownSeconds: 24 * 3600 });
    harness.answer(refuses);
    const messageId = await harness.publish(topic.name);
    await harness.work();
    harness.pass(minutes(11));
    await sweep({});
    await harness.work();
    expect((await open()).map(({ taskKey }) => taskKey)).not.toContain('message');
    expect((await open()).map((row) => row.messageId)).toEqual([messageId]);
  });

  it('settles a message that nobody was to get', async () => {
    const topic = await harness.newTopic();
    await harness.subscribed(topic, { isActive: false });
    await harness.publish(topic.name);
    await harness.live();
    expect(harness.posts).toEqual([]);
    expect(await open()).toEqual([]);
    expect(harness.now()).toBeLessThan(Date.UTC(2024, 2, 1, 12, 20));
  });

  it('leaves alone a task that is being worked on, and comes back', async () => {
    const topic = await harness.newTopic();
    const [person] = await harness.subscribed(topic, {});
    const messageId = await harness.publish(topic.name);
    harness.pass(minutes(10));
    await harness.work('fanOut');
    // The receiver takes its time, while the sweeper comes by.
    harness.answer(async () => {
      harness.pass(10_000);
      await sweep({});
      await harness.work('fanOut');
      expect(harness.payloadsIn('http')).toHaveLength(1);
      return { class: 'delivered' };
    });
    await harness.work('http');
    expect(await open()).toHaveLength(1);
    await harness.live();
    expect(harness.accepted(messageId)).toEqual([person?.uuid]);
    expect(await open()).toEqual([]);
  });
});

describe('while a mail is held up', () => {
  it('an event whose fan-out was lost reaches everybody by http, and by mail when mails go again', async () => {
    const topic = await harness.newTopic();
    const [near, far] = await harness.subscribed(topic, {}, { protocol: 'email', address: 'reader@example.org' });
    const messageId = await harness.publish(topic.name);
    await harness.purge('fanOut');
    const hold = () => harness.sqs.server.sendMessage('email', 'of others', { delaySeconds: 900 });
    for (let looks = 0; looks < 6; looks += 1) {
      hold();
      harness.pass(minutes(14));
      await harness.sweep();
      await harness.work('fanOut', 'http');
      await harness.purge('email');
    }
    expect(harness.accepted(messageId)).toEqual([near?.uuid]);
    await harness.live();
    expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf([near, far] as StoredSubscription[]));
    expect(harness.lines.error).toEqual([]);
  });
});
