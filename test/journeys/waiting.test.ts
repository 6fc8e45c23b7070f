import { describe, expect, test } from 'vitest';
import { unsubscribe } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { hang, status } from '../harness/receiver.ts';
import { openWorld } from '../harness/world.ts';

const world = await openWorld();
const { call, newTopic, newSubscriber, publish, attemptsAt } = world;
leavesNoErrors(world);

describe.concurrent('retries:', () => {
  test('an endless policy retries until the subscriber unsubscribes', async () => {
    const topic = await newTopic();
    const { receiver, subscription } = await newSubscriber(topic, { policy: '1,-1', answering: status(500) });
    const messageId = await publish(topic, 'x');
    const fifth = await receiver.arrival('Notification', 5);
    expect(fifth.headers['message-id']).toBe(messageId);
    await call(unsubscribe, { path: { uuid: subscription.uuid } });
    // An attempt in progress may still arrive. Any further attempts would arrive every second.
    await receiver.silence(2500);
  });

  test('the second attempt does not start before the countdown ends', async () => {
    const topic = await newTopic();
    const { receiver, subscription } = await newSubscriber(topic, { policy: '4,1', answering: status(500) });
    const attempts = await attemptsAt(await publish(topic, 'x'), subscription.uuid);
    expect(attempts).toMatchObject([{ next: 'retry' }, { next: 'failed' }]);
    const [, second] = receiver.of('Notification');
    expect(second?.at).toBeGreaterThanOrEqual(Number(attempts[0]?.at) + 4000);
  });

  test('an unresponsive subscriber does not delay other subscribers', async () => {
    const topic = await newTopic();
    const hanging = await newSubscriber(topic, { policy: '1,1', answering: hang });
    const healthy = await newSubscriber(topic);
    const messageId = await publish(topic, 'first');
    const [first] = await Promise.all([
      healthy.receiver.arrival('Notification'),
      hanging.receiver.arrival('Notification'),
    ]);
    await publish(topic, 'second');
    const second = await healthy.receiver.arrival('Notification', 2);
    const [attempt] = await attemptsAt(messageId, hanging.subscription.uuid);
    expect(attempt?.class).toBe('timeout');
    expect(first.at).toBeLessThan(Number(attempt?.at));
    expect(second.at).toBeLessThan(Number(attempt?.at));
    expect(second.body.toString()).toBe('second');
  });
});
