import { describe, expect, test } from 'vitest';
import { generateUin, readPerson } from '../../shared/contract/endpoints/persons-endpoints.ts';
import {
  confirmSubscription,
  listSubscriptions,
  subscribe,
  unsubscribe,
} from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import {
  createTopic,
  deleteTopic,
  listTopics,
  publishEvent,
} from '../../shared/contract/endpoints/topics-endpoints.ts';
import { useWorld } from '../harness/no-internal-errors.ts';
import { confirmationIn, startReceiver } from '../harness/receiver.ts';
import { uniqueName } from '../harness/world.ts';

const { call, newTopic, newSubscriber } = await useWorld();

const emptyJson = { headers: { 'content-type': 'application/json' } };
const transactionId = 'T-1';

describe.concurrent("OSIA's reference registry and OpenCRVS", () => {
  test('OSIA clients can publish by topic name, with the event type as the subject', async () => {
    const topic = await newTopic(uniqueName('CR é/%'));
    const { receiver } = await newSubscriber(topic);
    const event = { source: 'OpenCRVS', uin: '1', uin1: '2', uin2: '', transactionId, enrollmentId: 'E-1' };
    const answer = await call(publishEvent, {
      path: { uuid: topic.name },
      query: { subject: 'liveBirth' },
      body: event,
    });
    expect(answer.json).toEqual({ messageId: expect.any(String) });
    const { body, headers } = await receiver.arrival('Notification');
    expect(JSON.parse(body.toString())).toEqual(event);
    expect(headers).toMatchObject({ 'topic-id': topic.uuid, subject: 'liveBirth' });
  });

  test("OSIA clients can publish with empty text for the subject and transactionId, and with null for a parent's UIN", async () => {
    const topic = await newTopic('liveBirth');
    const { receiver } = await newSubscriber(topic);
    const body = { source: 'OpenCRVS', uin: '1', uin1: null, uin2: null };
    const query = { subject: '', transactionId: '' };
    expect((await call(publishEvent, { path: { uuid: topic.name }, query, body })).status).toBe(200);
    const { headers, body: received } = await receiver.arrival('Notification');
    expect(headers).not.toHaveProperty('subject');
    expect(JSON.parse(received.toString())).toEqual(body);
    const minted = await call(generateUin, { query: { transactionId: '' }, body: { firstName: topic.name } });
    expect(minted.status).toBe(200);
  });

  test('OSIA clients can send an empty body with a JSON Content-Type to operations that have no body', async () => {
    const name = uniqueName();
    const { uuid } = (await call(createTopic, { query: { name }, ...emptyJson })).json;
    const { url } = await startReceiver();
    const query = { topic: name, address: url };
    const subscription = (await call(subscribe, { query, ...emptyJson })).json;
    expect((await call(unsubscribe, { path: { uuid: subscription.uuid }, ...emptyJson })).status).toBe(204);
    expect((await call(deleteTopic, { path: { uuid }, ...emptyJson, body: '{' })).status).toBe(204);
  });

  test('OSIA clients can send a transactionId with every request', async () => {
    const name = uniqueName();
    const topic = (await call(createTopic, { query: { name, transactionId } })).json;
    const receiver = await startReceiver();
    const query = { topic: name, address: receiver.url, transactionId };
    const { uuid } = (await call(subscribe, { query })).json;
    const { token } = confirmationIn(await receiver.arrival('SubscriptionConfirmation'));
    const uin = (await call(generateUin, { query: { transactionId }, body: { firstName: name } })).json;
    const answers = await Promise.all([
      call(confirmSubscription, { query: { token, transactionId } }),
      call(listSubscriptions, { query: { transactionId } }),
      call(listTopics, { query: { transactionId } }),
      call(publishEvent, { path: { uuid: name }, query: { transactionId }, body: 'x' }),
      call(readPerson, { path: { uin }, query: { attributeNames: 'firstName', transactionId } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await call(unsubscribe, { path: { uuid }, query: { transactionId } })).status).toBe(204);
    expect((await call(deleteTopic, { path: { uuid: topic.uuid }, query: { transactionId } })).status).toBe(204);
  });
});
