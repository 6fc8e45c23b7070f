import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { cut, hang, type Respond, startReceiver, status } from '../harness/receiver.ts';
import { openWorld } from '../harness/world.ts';

const world = await openWorld();
const { newTopic, newSubscriber, publish, attemptsAt } = world;
leavesNoErrors(world);

const countdownMs = 1000;
const elsewhere = await startReceiver();

const faults: [name: string, answering: Respond, outcome: object][] = [
  ['responds with 500', status(500), { class: 'http', status: 500 }],
  ['responds with 404', status(404), { class: 'http', status: 404 }],
  ['redirects', status(302, { location: elsewhere.url }), { class: 'http', status: 302 }],
  ['redirects permanently', status(308, { location: elsewhere.url }), { class: 'http', status: 308 }],
  ['does not respond', hang, { class: 'timeout' }],
  ['cuts the connection', cut, { class: 'connect' }],
];

describe.concurrent('with the policy 1,2,', () => {
  test.each(faults)('a receiver that %s gets three attempts, one second apart', async (_name, answering, outcome) => {
    const topic = await newTopic();
    const { receiver, subscription } = await newSubscriber(topic, { policy: '1,2', answering });
    const messageId = await publish(topic, { source: 'CRVS' });
    const attempts = await attemptsAt(messageId, subscription.uuid);
    expect(attempts).toMatchObject([
      { ...outcome, next: 'retry' },
      { ...outcome, next: 'retry' },
      { ...outcome, next: 'failed' },
    ]);

    await sleep(1.5 * countdownMs);
    const requests = receiver.of('Notification');
    expect(requests.map(({ headers }) => headers['message-id'])).toEqual([messageId, messageId, messageId]);
    for (const [index, { at }] of requests.slice(1).entries()) {
      expect(at).toBeGreaterThanOrEqual((attempts[index]?.at ?? Number.NaN) + countdownMs);
    }
    expect(elsewhere.received).toEqual([]);
  });

  test('a receiver that refuses the connection gets three attempts, one second apart', async () => {
    const topic = await newTopic();
    const { receiver, subscription } = await newSubscriber(topic, { policy: '1,2' });
    await receiver.close();
    const attempts = await attemptsAt(await publish(topic, { source: 'CRVS' }), subscription.uuid);
    expect(attempts.map((attempt) => `${attempt.class} ${attempt.next}`)).toEqual([
      'connect retry',
      'connect retry',
      'connect failed',
    ]);
    const [first, second, third] = attempts.map(({ at }) => at);
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(countdownMs);
    expect(Number(third) - Number(second)).toBeGreaterThanOrEqual(countdownMs);
  });

  test('a receiver that recovers after the first attempt gets the message exactly once more', async () => {
    const topic = await newTopic();
    const { receiver, subscription } = await newSubscriber(topic, { policy: '1,2', answering: status(503) });
    const messageId = await publish(topic, 'x');
    await receiver.arrival('Notification');
    receiver.answer(status(204));
    const attempts = await attemptsAt(messageId, subscription.uuid);
    expect(attempts).toMatchObject([
      { status: 503, next: 'retry' },
      { class: 'delivered', status: 204, next: 'none' },
    ]);
    await sleep(1.5 * countdownMs);
    expect(receiver.of('Notification')).toHaveLength(2);
  });

  test('a policy without retries allows one attempt', async () => {
    const topic = await newTopic();
    const { receiver, subscription } = await newSubscriber(topic, { policy: '1,0', answering: status(500) });
    const attempts = await attemptsAt(await publish(topic, 'x'), subscription.uuid);
    expect(attempts).toMatchObject([{ status: 500, next: 'failed' }]);
    await sleep(1.5 * countdownMs);
    expect(receiver.of('Notification')).toHaveLength(1);
  });
});
