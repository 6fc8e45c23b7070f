import { expect, test } from 'vitest';
import { listSubscriptions, subscribe, unsubscribe } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { createTopic } from '../../shared/contract/endpoints/topics-endpoints.ts';
import type { ReceivedEvent } from '../../shared/receiver/receive.ts';
import { eventually } from '../harness/eventually.ts';
import { useWorld } from '../harness/no-internal-errors.ts';
import { confirmationIn } from '../harness/receiver.ts';
import { uniqueName } from '../harness/world.ts';

const world = await useWorld();
const { call, newSubscriber, publish } = world;

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

test('an HTTP subscriber confirms while it is handling the confirmation request, receives the event, and unsubscribes', async () => {
  const name = uniqueName('CR');
  const topic = (await call(createTopic, { query: { name } })).json;
  expect((await call(createTopic, { query: { name } })).json).toEqual(topic);

  const stored: ReceivedEvent[] = [];
  const receiver = await world.startOwnReceiver((event) => stored.push(event));
  const query = { topic: name, protocol: 'http', address: receiver.url, policy: '1,3' };
  const first = (await call(subscribe, { query })).json;
  expect(first).toEqual({ ...query, uuid: first.uuid, active: false });
  expect((await call(subscribe, { query })).json.uuid).toBe(first.uuid);

  const asked = await receiver.arrival('SubscriptionConfirmation');
  const confirmation = confirmationIn(asked);
  const confirmURL = `${world.outputs.baseUrl}/v1/subscriptions/confirm?token=${confirmation.token}`;
  expect(asked).toMatchObject({
    method: 'POST',
    path: '/events',
    headers: {
      'content-type': 'application/json',
      'message-type': 'SubscriptionConfirmation',
      'subscription-id': first.uuid,
      'message-id': confirmation.messageId,
      'topic-id': topic.uuid,
    },
  });
  expect(confirmation).toEqual({
    type: 'SubscriptionConfirmation',
    token: expect.stringMatching(/^[\w-]{22}\.[\w-]{43}$/),
    topic: name,
    message: expect.stringContaining(name),
    messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    subject: expect.any(String),
    subscribeURL: confirmURL,
    confirmURL,
    timestamp: expect.stringMatching(rfc3339),
  });

  await eventually(async () => expect((await call(listSubscriptions)).json).toContainEqual({ ...first, active: true }));

  const body = '{ "source":"CRVS",\t"uin" : "1234567890" }';
  const messageId = await publish(topic, body, { query: { subject: 'death' } });
  const event = await receiver.arrival('Notification');
  await eventually(() => expect(stored).toEqual([{ messageId, topicId: topic.uuid, subject: 'death', body }]));
  expect(event.headers).toMatchObject({
    'content-type': 'application/json',
    'message-type': 'Notification',
    'subscription-id': first.uuid,
    'message-id': messageId,
    'topic-id': topic.uuid,
    subject: 'death',
  });

  const left = await call(unsubscribe, { path: { uuid: first.uuid } });
  expect([left.status, left.headers.get('content-type')]).toEqual([204, null]);
  expect((await call(unsubscribe, { path: { uuid: first.uuid } })).status).toBe(404);

  const witness = await newSubscriber(topic);
  const secondId = await publish(topic, { source: 'CRVS', uin: '2' });
  await world.attemptsAt(secondId, witness.subscription.uuid);
  expect(witness.receiver.of('Notification')).toHaveLength(1);
  expect(receiver.of('Notification')).toHaveLength(1);
  expect(receiver.of('SubscriptionConfirmation')).toHaveLength(1);
});
