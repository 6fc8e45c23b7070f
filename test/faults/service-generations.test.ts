/*
 * Promise: what is gone gets nothing more. A topic that is deleted, or a subscription that ends, stops what waits for it
 * or is on its way; whoever comes back begins a new life and gets nothing of the old one.
 */
import { describe, expect, it } from 'vitest';
import { handler as confirm } from '../../functions/subscriptions/confirm-subscription.ts';
import { handler as subscribe } from '../../functions/subscriptions/subscribe.ts';
import { handler as unsubscribe } from '../../functions/subscriptions/unsubscribe.ts';
import { handler as createTopic } from '../../functions/topics/create-topic.ts';
import { handler as deleteTopic } from '../../functions/topics/delete-topic.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { accepts, refuses } from '../harness/fake-sender.ts';
import { refusing } from '../harness/interference.ts';

const harness = useDeliveryHarness({ subscriptionsPerTask: '1' });
const seconds = (count: number) => count * 1000;

const create = async (name: string): Promise<string> => {
  const { status, json } = await harness.call(createTopic, { query: `name=${name}` });
  expect(status).toBe(200);
  return json.uuid;
};
const remove = async (uuid: string): Promise<void> => {
  // Lives are told apart by the time at which they began.
  harness.pass(seconds(1));
  expect((await harness.call(deleteTopic, { path: { uuid } })).status).toBe(204);
};

/** Subscribes an address and confirms; answers the subscription's uuid. */
async function join(topic: string, address = 'http://receiver.example/life'): Promise<string> {
  const { json } = await harness.call(subscribe, { query: `topic=${topic}&address=${address}&policy=60,20` });
  await harness.work('http');
  const asked = harness.posts.findLast((post) => post.uuid === json.uuid && post.token !== undefined);
  expect(await harness.call(confirm, { query: `token=${asked?.token}` })).toMatchObject({ json: { active: true } });
  return json.uuid;
}
const notified = (uuid: string) =>
  harness.posts.filter((post) => post.uuid === uuid && post.type === 'Notification').map(({ messageId }) => messageId);
const people = async () => (await harness.rows('subscriptions')).map(({ uuid }) => uuid);

describe('a deleted topic', () => {
  it('stops the retries that wait', async () => {
    const topic = await create('CR');
    const uuid = await join('CR');
    harness.answer(refuses);
    await harness.publish('CR');
    await harness.work();
    await remove(topic);
    await harness.live();
    expect(notified(uuid)).toHaveLength(1);
    expect(await people()).toEqual([]);
    const states = (await harness.rows('deliveries')).map(({ state }) => state);
    expect(states.filter((state) => state === 'waiting' || state === 'failed')).toEqual([]);
  });

  it.each([
    ['that wait for fan-out', [] as const],
    ['that wait for their first attempt', ['fanOut'] as const],
  ])('delivers none of the messages %s', async (_where, worked) => {
    const topic = await create('CR');
    await join('CR', 'http://receiver.example/1');
    await join('CR', 'http://receiver.example/2');
    harness.pass(seconds(60));
    await harness.publish('CR');
    for (const queue of worked) await harness.work(queue);
    await remove(topic);
    harness.pass(seconds(3));
    await harness.work('cleanUp');
    await harness.live();
    expect(harness.posts.filter(({ type }) => type === 'Notification')).toEqual([]);
  });

  it('loses its subscriptions although the clean-up fails the first time', async () => {
    const topic = await create('CR');
    for (const place of [1, 2, 3]) await join('CR', `http://receiver.example/${place}`);
    await remove(topic);
    harness.pass(seconds(3));
    let [queries, deletions] = [0, 0];
    harness.interfere({
      call: ({ command }, go) => {
        // It fails before it begins, and the second time half-way.
        if (command === 'Query' && queries++ === 0) return Promise.reject(new Error('throttled'));
        if (command === 'DeleteItem' && deletions++ === 1) return Promise.reject(new Error('throttled'));
        return go();
      },
    });
    await harness.workOnce('cleanUp');
    expect(await people()).toHaveLength(3);
    await harness.live();
    expect([await people(), queries >= 3]).toEqual([[], true]);
  });

  it('that could not be deleted keeps its subscriptions', async () => {
    const topic = await create('CR');
    const uuid = await join('CR');
    harness.interfere(refusing('DeleteItem'));
    expect((await harness.call(deleteTopic, { path: { uuid: topic } })).status).toBe(500);
    harness.interfere({});
    await harness.live();
    expect(await people()).toEqual([uuid]);
    const messageId = await harness.publish('CR');
    await harness.live();
    expect(harness.accepted(messageId)).toEqual([uuid]);
  });

  it('that is created again starts with nobody, and sends nothing of its old life to those who come back', async () => {
    const topic = await create('CR');
    const uuid = await join('CR');
    const staying = await join('CR', 'http://receiver.example/does-not-come-back');
    harness.answer(refuses);
    const old = await harness.publish('CR');
    await harness.work();
    const queued = await harness.publish('CR');
    await harness.work('fanOut');
    await remove(topic);
    expect(await create('CR')).toBe(topic);
    harness.answer(accepts);
    // They come back before the clean-up has run, and while messages of the old life are queued for them.
    const asked = await harness.call(subscribe, {
      query: 'topic=CR&address=http://receiver.example/life&policy=60,20',
    });
    expect(asked).toMatchObject({ status: 200, json: { uuid, active: false } });
    harness.pass(seconds(3));
    await harness.work('cleanUp');
    await harness.work('http');
    const token = harness.posts.findLast((post) => post.token !== undefined)?.token;
    expect(await harness.call(confirm, { query: `token=${token}` })).toMatchObject({ json: { active: true } });
    const fresh = await harness.publish('CR');
    await harness.live();
    expect(notified(uuid)).toEqual([old, fresh]);
    expect(notified(staying)).toEqual([old]);
    expect(notified(uuid)).not.toContain(queued);
    expect(await people()).toEqual([uuid]);
  });
});

describe('a subscription that ended', () => {
  it('gets nothing more, neither what waits nor what is on its way', async () => {
    await create('CR');
    const uuid = await join('CR');
    harness.answer(refuses);
    const waiting = await harness.publish('CR');
    await harness.work();
    await harness.publish('CR');
    await harness.work('fanOut');
    expect((await harness.call(unsubscribe, { path: { uuid } })).status).toBe(204);
    await harness.live();
    expect(notified(uuid)).toEqual([waiting]);
  });

  it('and was made again gets nothing of its old life', async () => {
    await create('CR');
    const uuid = await join('CR');
    harness.answer(refuses);
    const waiting = await harness.publish('CR');
    await harness.work();
    const queued = await harness.publish('CR');
    await harness.work('fanOut');
    const unfanned = await harness.publish('CR');
    await harness.call(unsubscribe, { path: { uuid } });
    harness.pass(seconds(10));
    harness.answer(accepts);
    const { json } = await harness.call(subscribe, { query: 'topic=CR&address=http://receiver.example/life' });
    expect(json.uuid).toBe(uuid);
    await harness.work('http');
    const token = harness.posts.findLast((post) => post.token !== undefined)?.token;
    await harness.call(confirm, { query: `token=${token}` });
    const fresh = await harness.publish('CR');
    await harness.live();
    expect(notified(uuid)).toEqual([waiting, fresh]);
    expect(notified(uuid)).not.toContain(queued);
    expect(notified(uuid)).not.toContain(unfanned);
  });
});
