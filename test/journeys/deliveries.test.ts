import { expect, test } from 'vitest';
import {
  listDeliveries,
  recoverSubscription,
  redeliverMessage,
} from '../../shared/contract/endpoints/deliveries-endpoints.ts';
import { eventually } from '../harness/eventually.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { accept, status } from '../harness/receiver.ts';
import { openWorld } from '../harness/world.ts';

const world = await openWorld();
const { call, newTopic, newSubscriber, publish, attemptsAt } = world;
leavesNoErrors(world);

test('a subscriber reads the state of their deliveries and redelivers them', async () => {
  const topic = await newTopic();
  const { receiver, subscription } = await newSubscriber(topic, { policy: '1,0' });
  const path = { uuid: subscription.uuid };
  const taken = await publish(topic, 'taken', { query: { subject: 'first' } });
  await attemptsAt(taken, subscription.uuid);
  receiver.answer(status(503));
  const refused = await publish(topic, 'refused');
  await attemptsAt(refused, subscription.uuid);
  const { json } = await call(listDeliveries, { path });
  expect(json).toMatchObject([
    { messageId: refused, state: 'failed', attempts: [{ class: 'http', status: 503 }] },
    { messageId: taken, subject: 'first', state: 'delivered', attempts: [{ class: 'delivered', status: 200 }] },
  ]);

  receiver.answer(accept);
  const again = await call(redeliverMessage, { path: { ...path, messageId: taken } });
  expect(again).toMatchObject({ status: 202, json: { state: 'waiting' } });
  await receiver.arrival('Notification', 3);
  const recovery = await call(recoverSubscription, {
    path,
    query: { since: new Date(Date.now() - 600_000).toISOString() },
  });
  expect([recovery.status, recovery.json]).toEqual([202, { since: expect.any(String), until: expect.any(String) }]);
  const last = await receiver.arrival('Notification', 4);
  expect(last.headers['message-id']).toBe(refused);
  await eventually(async () => {
    const { json: now } = await call(listDeliveries, { path, query: { state: 'delivered' } });
    expect(now.map(({ messageId }) => messageId)).toEqual([refused, taken]);
  });
});
