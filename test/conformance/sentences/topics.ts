import { refused, refusedNaming, succeeded } from '../client.ts';
import type { Deployment } from '../deployment.ts';
import { bodyIn } from '../requirements/messages.ts';
import { same, sentencesOf } from '../sentence.ts';

const nobody = '00000000-0000-4000-8000-000000000000';
const body = { source: 'conformance', uin: '1' };

async function delivered(deployment: Deployment, subject?: string) {
  const topic = await deployment.newTopic();
  const { letterbox } = await deployment.newSubscriber(topic);
  await deployment.publish(topic, body, subject === undefined ? {} : { query: { subject } });
  return (await letterbox.arrived('Notification'))[0];
}

export const topics = [
  ...sentencesOf('4.3 POST /v1/topics', {
    'name is required': async ({ call }) => refusedNaming(await call('POST', '/v1/topics'), 400, 'name'),
    'an empty body that is announced as JSON does not matter': async ({ newTopic, call }) => {
      const { name, uuid } = await newTopic();
      const headers = { 'content-type': 'application/json' };
      same('the topic', succeeded(await call('POST', '/v1/topics', { query: { name }, headers })).uuid, uuid);
    },
  }),
  ...sentencesOf('4.3 GET /v1/topics', {
    'answers an array of all topics': async ({ newTopic, call }) => {
      const topic = await newTopic();
      const list: { uuid: string }[] = succeeded(await call('GET', '/v1/topics'));
      same(
        'ours in it',
        list.find(({ uuid }) => uuid === topic.uuid),
        topic,
      );
    },
  }),
  ...sentencesOf('4.3 DELETE /v1/topics/{uuid}', {
    'answers 204 and nothing; a second time 404': async ({ newTopic, call }) => {
      const { uuid } = await newTopic();
      succeeded(await call('DELETE', `/v1/topics/${uuid}`), 204);
      refused(await call('DELETE', `/v1/topics/${uuid}`), 404);
    },
  }),
  ...sentencesOf('4.3 POST /v1/topics/{uuid}/publish', {
    'answers 200 in JSON when published': async ({ newTopic, publish }) => {
      const messageId = await publish(await newTopic(), body);
      same('type of messageId', typeof messageId, 'string');
    },
    'subject is optional, and comes with the event': async (deployment) => {
      same('the header, with one', (await delivered(deployment, 'liveBirth'))?.headers.subject, 'liveBirth');
      same('the header, without', (await delivered(deployment))?.headers.subject, undefined);
    },
    'the topic may be named by its name': async (deployment) => {
      const topic = await deployment.newTopic();
      const { letterbox } = await deployment.newSubscriber(topic);
      succeeded(await deployment.call('POST', `/v1/topics/${topic.name}/publish`, { body }));
      const [arrival] = await letterbox.arrived('Notification');
      if (arrival) same('the event', JSON.parse(bodyIn(arrival)), body);
    },
    'the body may be of any Content-Type, or none': async ({ newTopic, call }) => {
      const path = `/v1/topics/${(await newTopic()).uuid}/publish`;
      for (const type of ['text/plain', 'application/xml', 'application/cloudevents+json', '']) {
        const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
        succeeded(await call('POST', path, { body: 'text', headers }));
      }
    },
    'an unknown topic is 400': async ({ call }) =>
      void refused(await call('POST', `/v1/topics/${nobody}/publish`, { body }), 400),
  }),
];
