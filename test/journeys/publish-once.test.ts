import { describe, expect, test } from 'vitest';
import { publishEvent } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { openWorld } from '../harness/world.ts';

const world = await openWorld();
const { newTopic, newSubscriber, publish, attemptsAt } = world;
leavesNoErrors(world);

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

describe.concurrent('publish with an Idempotency-Key', () => {
  test.each([
    ['short', 'an event'],
    ['long', 'x'.repeat(10_000)],
  ])('a %s body is delivered once, however often the publish request is repeated', async (_, body) => {
    const topic = await newTopic();
    const { receiver, subscription } = await newSubscriber(topic);
    const messageId = await publish(topic, body, keyed('K'));
    const repeats = await Promise.all([1, 2, 3].map(() => publish(topic, body, keyed('K'))));
    await attemptsAt(messageId, subscription.uuid);
    repeats.push(await publish(topic, body, keyed('K')));
    expect(new Set([messageId, ...repeats]).size).toBe(1);
    await attemptsAt(await publish(topic, 'the last'), subscription.uuid);
    expect(receiver.of('Notification').map((one) => one.body.toString())).toEqual([body, 'the last']);
  });

  test.each([
    ['body', { body: 'y' }],
    ['subject', { query: { subject: 'other' } }],
  ])(
    'an idempotency key that is reused with a different %s returns 400, and only the first message is delivered',
    async (_, other) => {
      const topic = await newTopic();
      const { receiver, subscription } = await newSubscriber(topic);
      const messageId = await publish(topic, 'x', keyed('K'));
      const answer = await world.call(publishEvent, { path: { uuid: topic.uuid }, body: 'x', ...keyed('K'), ...other });
      expect([answer.status, answer.error]).toEqual([
        400,
        { code: 1014, message: expect.stringContaining('idempotency-key') },
      ]);
      await attemptsAt(messageId, subscription.uuid);
      await attemptsAt(await publish(topic, 'the last'), subscription.uuid);
      expect(receiver.of('Notification').map((one) => one.body.toString())).toEqual(['x', 'the last']);
    },
  );

  test('an idempotency key applies only to one caller and one topic', async () => {
    const [one, other] = await Promise.all([newTopic(), newTopic()]);
    const { receiver } = await newSubscriber(one);
    const token = await world.tokenFor(['notif.topic.publish'], 'another-client');
    const ids = [
      await publish(one, 'x', keyed('K')),
      await publish(one, 'x', keyed('L')),
      await publish(one, 'x', { ...keyed('K'), token }),
      await publish(other, 'x', keyed('K')),
    ];
    expect(new Set(ids).size).toBe(4);
    await receiver.arrival('Notification', 3);
    const arrived = receiver.of('Notification').map(({ headers }) => String(headers['message-id']));
    expect(arrived.toSorted()).toEqual(ids.slice(0, 3).toSorted());
  });

  test.each([
    ['azp', { client_id: null, azp: 'journeys' }],
    ['sub', { client_id: null, sub: 'journeys' }],
  ])(
    'an idempotency key returns 400 if the token identifies its caller only by %s, which two callers could share',
    async (_claim, claims) => {
      const topic = await newTopic();
      await publish(topic, 'x', keyed('K'));
      const token = await world.sign({ scope: 'notif.topic.publish', ...claims });
      const answer = await world.call(publishEvent, { path: { uuid: topic.uuid }, body: 'y', token, ...keyed('K') });
      expect([answer.status, answer.error.message]).toEqual([400, expect.stringContaining('client_id')]);
      expect(await publish(topic, 'y', { token })).toMatch(/^[\da-f-]{36}$/);
    },
  );

  test('every publish request without an idempotency key creates a separate message', async () => {
    const topic = await newTopic();
    const { receiver } = await newSubscriber(topic);
    const ids = [await publish(topic, 'x'), await publish(topic, 'x')];
    expect(ids[0]).not.toBe(ids[1]);
    await receiver.arrival('Notification', 2);
    expect(receiver.of('Notification')).toHaveLength(2);
  });

  test.each([
    ['blank', ' '],
    ['longer than 256 characters', 'k'.repeat(257)],
  ])('an idempotency key that is %s returns 400', async (_, key) => {
    const topic = await newTopic();
    const answer = await world.call(publishEvent, { path: { uuid: topic.uuid }, body: 'x', ...keyed(key) });
    expect([answer.status, answer.error.message]).toEqual([400, expect.stringContaining('idempotency-key')]);
  });
});
