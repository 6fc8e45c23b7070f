import { expectError, expectErrorNaming, expectSuccess } from '../client.ts';
import type { Deployment } from '../deployment.ts';
import { equal, requirementsOf } from '../requirement.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';
const body = { source: 'conformance', uin: '1' };

async function delivered(deployment: Deployment, subject?: string) {
  const topic = await deployment.newTopic();
  const { webhook } = await deployment.newSubscriber(topic);
  await deployment.publish(topic, body, subject === undefined ? {} : { query: { subject } });
  return (await webhook.arrived('Notification'))[0];
}

export const topics = [
  ...requirementsOf('4.3 POST /v1/topics', {
    'requires name': async ({ call }) => expectErrorNaming(await call('POST', '/v1/topics'), 400, 'name'),
    'accepts an empty body with Content-Type application/json': async ({ newTopic, call }) => {
      const { name, uuid } = await newTopic();
      const headers = { 'content-type': 'application/json' };
      equal('the topic', expectSuccess(await call('POST', '/v1/topics', { query: { name }, headers })).uuid, uuid);
    },
  }),
  ...requirementsOf('4.3 GET /v1/topics', {
    'listing topics returns an array of all topics': async ({ newTopic, find }) => {
      const topic = await newTopic();
      equal('the entry in the list', await find('/v1/topics', topic.uuid), topic);
    },
  }),
  ...requirementsOf('4.3 DELETE /v1/topics/{uuid}', {
    'deleting a topic returns 204 without a body, and deleting it again returns 404': async ({ newTopic, call }) => {
      const { uuid } = await newTopic();
      expectSuccess(await call('DELETE', `/v1/topics/${uuid}`), 204);
      expectError(await call('DELETE', `/v1/topics/${uuid}`), 404);
    },
    'a subscription to a deleted topic can no longer be confirmed': async (deployment) => {
      const { newTopic, newWebhook, subscribe, confirm, call } = deployment;
      const topic = await newTopic();
      const webhook = newWebhook();
      await subscribe(topic, webhook.address);
      const [asked] = await webhook.arrived('SubscriptionConfirmation');
      expectSuccess(await call('DELETE', `/v1/topics/${topic.uuid}`), 204);
      expectError(await confirm(JSON.parse(String(asked?.body)).token), 400);
    },
  }),
  ...requirementsOf('4.3 POST /v1/topics/{uuid}/publish', {
    'returns 200 and JSON': async ({ newTopic, publish }) => {
      const messageId = await publish(await newTopic(), body);
      equal('type of messageId', typeof messageId, 'string');
    },
    '`subject` is an optional parameter that is delivered with the event': async (deployment) => {
      equal('the header with a subject', (await delivered(deployment, 'liveBirth'))?.headers.subject, 'liveBirth');
      equal('the header without a subject', (await delivered(deployment))?.headers.subject, undefined);
    },
    'accepts the name of a topic': async (deployment) => {
      const topic = await deployment.newTopic();
      const { webhook } = await deployment.newSubscriber(topic, { deliveryFormat: 'raw' });
      expectSuccess(await deployment.call('POST', `/v1/topics/${topic.name}/publish`, { body }));
      const [arrival] = await webhook.arrived('Notification');
      if (arrival) equal('the event', JSON.parse(String(arrival.body)), body);
    },
    'publishing accepts a body with any Content-Type or none': async ({ newTopic, call }) => {
      const path = `/v1/topics/${(await newTopic()).uuid}/publish`;
      for (const type of ['text/plain', 'application/xml', 'application/cloudevents+json', '']) {
        const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
        expectSuccess(await call('POST', path, { body: 'text', headers }));
      }
    },
    'returns 400 for an unknown topic': async ({ call }) =>
      void expectError(await call('POST', `/v1/topics/${unknownId}/publish`, { body }), 400),
  }),
];
