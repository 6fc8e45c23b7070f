import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  confirmSubscription,
  listSubscriptions,
  subscribe,
} from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { deleteTopic, listTopics, publishEvent } from '../../shared/contract/endpoints/topics-endpoints.ts';
import type { Topic } from '../../shared/domain/topics/topic.ts';
import { eventually } from '../harness/eventually.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { confirmationIn, startReceiver, status } from '../harness/receiver.ts';
import { openWorld } from '../harness/world.ts';

const world = await openWorld();
const { call, newTopic, newSubscriber, subscribeTo, publish, attemptsAt } = world;
leavesNoErrors(world);

const remove = (topic: Topic) => call(deleteTopic, { path: { uuid: topic.uuid } });
const listed = async (topic: Topic) =>
  (await call(listSubscriptions)).json.filter((subscription) => subscription.topic === topic.name);

describe.concurrent('topic deletion', () => {
  test('a deleted topic is not listed, and all operations on it fail', async () => {
    const topic = await newTopic();
    expect((await call(listTopics)).json).toContainEqual(topic);
    expect((await remove(topic)).status).toBe(204);
    expect((await remove(topic)).status).toBe(404);
    expect((await call(listTopics)).json).not.toContainEqual(topic);
    for (const place of [topic.uuid, topic.name]) {
      const published = await call(publishEvent, { path: { uuid: place }, body: 'x' });
      const subscribed = await call(subscribe, { query: { topic: place, address: 'https://example.org' } });
      expect([published.status, published.error.message]).toEqual([400, expect.stringContaining('topic')]);
      expect([subscribed.status, subscribed.error.message]).toEqual([400, expect.stringContaining('topic')]);
    }
  });

  test('deleting a topic ends its subscriptions and their retries', async () => {
    const topic = await newTopic();
    const { receiver } = await newSubscriber(topic, { policy: '1,-1', answering: status(500) });
    await newSubscriber(topic);
    await publish(topic, 'x');
    await receiver.arrival('Notification', 2);
    await remove(topic);
    await eventually(async () => expect(await listed(topic)).toEqual([]));
    // Retries would arrive every second.
    await receiver.silence(2500);
  });

  test('a topic that is created again has no subscribers and accepts new ones', async () => {
    const topic = await newTopic();
    const { receiver, subscription } = await newSubscriber(topic);
    await remove(topic);
    expect(await newTopic(topic.name)).toEqual(topic);
    await publish(topic, 'nobody hears this');

    // The client subscribes again immediately, while the deletion of the old subscriptions may still be in progress.
    const again = await subscribeTo(topic, receiver.url);
    expect(again).toEqual({ ...subscription, active: false });
    const asked = await receiver.arrival('SubscriptionConfirmation', 2);
    // Gives the clean-up time to delete the old subscriptions.
    await sleep(1500);
    const { token } = confirmationIn(asked);
    expect((await call(confirmSubscription, { query: { token } })).json).toEqual(subscription);
    expect(await listed(topic)).toEqual([subscription]);
    const messageId = await publish(topic, 'somebody hears this');
    await attemptsAt(messageId, subscription.uuid);
    expect(receiver.of('Notification').map(({ body }) => body.toString())).toEqual(['somebody hears this']);
  });

  test('deleting a topic invalidates its confirmation links, even if the topic is created again', async () => {
    const topic = await newTopic();
    const receiver = await startReceiver();
    await subscribeTo(topic, receiver.url);
    const { token } = confirmationIn(await receiver.arrival('SubscriptionConfirmation'));
    await remove(topic);
    await newTopic(topic.name);
    await eventually(async () => expect(await listed(topic)).toEqual([]));
    const late = await call(confirmSubscription, { query: { token } });
    expect([late.status, late.error.message]).toEqual([400, expect.stringContaining('token')]);
  });
});
