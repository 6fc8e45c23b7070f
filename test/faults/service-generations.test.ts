/*
 * Promise: a deleted topic sends no messages, and an ended subscription receives neither queued messages nor retries. A
 * topic or subscription that is created again starts a new generation and gets no messages from the old one.
 */
import { describe, expect, it } from 'vitest';
import { handler as confirm } from '../../functions/subscriptions/confirm-subscription.ts';
import { handler as subscribe } from '../../functions/subscriptions/subscribe.ts';
import { handler as unsubscribe } from '../../functions/subscriptions/unsubscribe.ts';
import { handler as createTopic } from '../../functions/topics/create-topic.ts';
import { handler as deleteTopic } from '../../functions/topics/delete-topic.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { accepts, rejects } from '../harness/fake-sender.ts';
import { failing } from '../harness/interference.ts';

const harness = useDeliveryHarness({ subscriptionsPerTask: 1 });
const seconds = (count: number) => count * 1000;

const create = async (name: string): Promise<string> => {
  const { status, json } = await harness.call(createTopic, { query: `name=${name}` });
  expect(status).toBe(200);
  return json.uuid;
};
const remove = async (uuid: string): Promise<void> => {
  // The next generation starts at a later time, so the two generations differ.
  harness.pass(seconds(1));
  expect((await harness.call(deleteTopic, { path: { uuid } })).status).toBe(204);
};

/** Confirms the latest confirmation request. */
async function confirmLatest(): Promise<void> {
  await harness.work('http');
  const token = harness.posts.findLast((post) => post.token !== undefined)?.token;
  expect(await harness.call(confirm, { query: `token=${token}` })).toMatchObject({ json: { active: true } });
}

/** Subscribes an address to a topic and confirms the subscription. Returns the UUID of the new subscription. */
async function subscribeAndConfirm(topic: string, address = 'http://receiver.example/hook'): Promise<string> {
  const { json } = await harness.call(subscribe, { query: `topic=${topic}&address=${address}&policy=60,20` });
  await confirmLatest();
  return json.uuid;
}
const notified = (uuid: string) =>
  harness.posts.filter((post) => post.uuid === uuid && post.type === 'Notification').map(({ messageId }) => messageId);
const people = async () => (await harness.rows('subscriptions')).map(({ uuid }) => uuid);

describe('a deleted topic', () => {
  it('the messages of a deleted topic are not retried', async () => {
    const topic = await create('CR');
    const uuid = await subscribeAndConfirm('CR');
    harness.answer(rejects);
    await harness.publishAndWork('CR');
    await remove(topic);
    await harness.live();
    expect(notified(uuid)).toHaveLength(1);
    expect(await people()).toEqual([]);
    const states = (await harness.rows('deliveries')).map(({ state }) => state);
    expect(states.filter((state) => state === 'waiting' || state === 'failed')).toEqual([]);
  });

  it.each([
    ['waiting for fan-out', [] as const],
    ['waiting for their first attempt', ['fanOut'] as const],
  ])('a deleted topic delivers no messages that are %s', async (_where, worked) => {
    const topic = await create('CR');
    await subscribeAndConfirm('CR', 'http://receiver.example/1');
    await subscribeAndConfirm('CR', 'http://receiver.example/2');
    harness.pass(seconds(60));
    await harness.publish('CR');
    for (const queue of worked) await harness.work(queue);
    await remove(topic);
    harness.pass(seconds(3));
    await harness.work('cleanUp');
    await harness.live();
    expect(harness.posts.filter(({ type }) => type === 'Notification')).toEqual([]);
  });

  it('the subscriptions of a deleted topic are deleted even if the clean-up fails twice', async () => {
    const topic = await create('CR');
    for (const place of [1, 2, 3]) await subscribeAndConfirm('CR', `http://receiver.example/${place}`);
    await remove(topic);
    harness.pass(seconds(3));
    let [queries, deletions] = [0, 0];
    harness.interfere({
      call: ({ command }, go) => {
        // The first run fails before it deletes any subscription, and the second run fails after one deletion.
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

  it('a topic keeps its subscriptions if the request to delete it fails', async () => {
    const topic = await create('CR');
    const uuid = await subscribeAndConfirm('CR');
    harness.interfere(failing('DeleteItem'));
    expect((await harness.call(deleteTopic, { path: { uuid: topic } })).status).toBe(500);
    harness.interfere({});
    await harness.live();
    expect(await people()).toEqual([uuid]);
    const messageId = await harness.publish('CR');
    await harness.live();
    expect(harness.accepted(messageId)).toEqual([uuid]);
  });

  it('a topic that is created again has no subscriptions, and clients that subscribe again get no old messages', async () => {
    const topic = await create('CR');
    const uuid = await subscribeAndConfirm('CR');
    const staying = await subscribeAndConfirm('CR', 'http://receiver.example/does-not-come-back');
    harness.answer(rejects);
    const old = await harness.publishAndWork('CR');
    const queued = await harness.publish('CR');
    await harness.work('fanOut');
    await remove(topic);
    expect(await create('CR')).toBe(topic);
    harness.answer(accepts);
    // The client subscribes again before the clean-up runs, while old messages are still queued.
    const subscribed = await harness.call(subscribe, {
      query: 'topic=CR&address=http://receiver.example/hook&policy=60,20',
    });
    expect(subscribed).toMatchObject({ status: 200, json: { uuid, active: false } });
    harness.pass(seconds(3));
    await harness.work('cleanUp');
    await confirmLatest();
    const fresh = await harness.publish('CR');
    await harness.live();
    expect(notified(uuid)).toEqual([old, fresh]);
    expect(notified(staying)).toEqual([old]);
    expect(notified(uuid)).not.toContain(queued);
    expect(await people()).toEqual([uuid]);
  });
});

it('an ended subscription gets neither queued messages nor retries', async () => {
  await create('CR');
  const uuid = await subscribeAndConfirm('CR');
  harness.answer(rejects);
  const waiting = await harness.publishAndWork('CR');
  await harness.publish('CR');
  await harness.work('fanOut');
  expect((await harness.call(unsubscribe, { path: { uuid } })).status).toBe(204);
  await harness.live();
  expect(notified(uuid)).toEqual([waiting]);
});

it('a subscription that is ended and created again gets no messages from its old generation', async () => {
  await create('CR');
  const uuid = await subscribeAndConfirm('CR');
  harness.answer(rejects);
  const waiting = await harness.publishAndWork('CR');
  const queued = await harness.publish('CR');
  await harness.work('fanOut');
  const unsent = await harness.publish('CR');
  await harness.call(unsubscribe, { path: { uuid } });
  harness.pass(seconds(10));
  harness.answer(accepts);
  const { json } = await harness.call(subscribe, { query: 'topic=CR&address=http://receiver.example/hook' });
  expect(json.uuid).toBe(uuid);
  await confirmLatest();
  const fresh = await harness.publish('CR');
  await harness.live();
  expect(notified(uuid)).toEqual([waiting, fresh]);
  expect(notified(uuid)).not.toContain(queued);
  expect(notified(uuid)).not.toContain(unsent);
});
