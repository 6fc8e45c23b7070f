/*
 * Promise: a message that publish has answered 200 for is durable, whether it was the queue or the ledger that took it, a
 * long one too.
 */
import { describe, expect, it } from 'vitest';
import { handler as publish } from '../../functions/topics/publish-event.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { refusing } from '../harness/interference.ts';

const harness = useDeliveryHarness({ subscriptionsPerTask: '2' });
const uuidsOf = (people: readonly StoredSubscription[]) => people.map(({ uuid }) => uuid).toSorted();
const minutes = (count: number) => count * 60_000;

describe('publish', () => {
  it('whose message the queue does not take answers 200, and the audit delivers it', async () => {
    const topic = await harness.newTopic();
    const people = await harness.subscribed(topic, {}, {}, {});
    harness.interfere(refusing('SendMessage'));
    const messageId = await harness.publish(topic.name);
    harness.interfere({});
    expect(harness.payloadsIn('fanOut')).toEqual([]);
    const publishedAt = harness.now();
    await harness.live();
    expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf(people));
    expect(Number(harness.posts[0]?.at) - publishedAt).toBeLessThanOrEqual(minutes(12));
  });

  it('whose message the ledger does not take answers 200, and fan-out opens the ledger', async () => {
    const topic = await harness.newTopic();
    const people = await harness.subscribed(topic, {}, {}, {});
    harness.interfere(refusing('PutItem'));
    const messageId = await harness.publish(topic.name);
    harness.interfere({});
    expect(await harness.rows('deliveries')).toEqual([]);
    await harness.work('fanOut');
    await harness.purge();
    await harness.live();
    expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf(people));
  });

  it('whose message neither takes answers 500, and nothing of it is delivered', async () => {
    const topic = await harness.newTopic();
    await harness.subscribed(topic, {});
    harness.interfere(refusing('SendMessage', 'PutItem'));
    const answer = await harness.call(publish, { path: { uuid: topic.name }, body: 'x' });
    harness.interfere({});
    expect(answer).toMatchObject({ status: 500, json: { code: 1500 } });
    await harness.live();
    expect(harness.posts).toEqual([]);
  });
});

describe('a long body', () => {
  const body = JSON.stringify({ source: 'é'.repeat(60_000) });

  it.each([
    ['the queue', refusing('SendMessage')],
    ['the ledger', refusing('PutItem')],
    ['S3', refusing('PutObject')],
  ])('arrives byte for byte where %s fails', async (_what, interference) => {
    const topic = await harness.newTopic();
    const people = await harness.subscribed(topic, {}, {}, {});
    harness.interfere(interference);
    const messageId = await harness.publish(topic.name, body);
    harness.interfere({});
    await harness.live();
    expect(harness.accepted(messageId).toSorted()).toEqual(people.map(({ uuid }) => uuid).toSorted());
    expect(new Set(harness.posts.map((post) => post.body))).toEqual(new Set([body]));
  });

  it('is read once by a copy, and lies neither in the ledger nor in its tasks', async () => {
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
});
