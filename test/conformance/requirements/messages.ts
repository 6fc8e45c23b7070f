import { expectErrorNaming, expectSuccess } from '../client.ts';
import type { Deployment } from '../deployment.ts';
import type { Arrival } from '../receiver.ts';
import { type Check, ensure, equal, hasFields, isUuid, requirementsOf } from '../requirement.ts';

const event = { source: 'conformance', uin: '1' };

async function confirmationOf({ newTopic, newWebhook, subscribe }: Deployment) {
  const topic = await newTopic();
  const webhook = newWebhook();
  const subscription = await subscribe(topic, webhook.address);
  const [arrival] = await webhook.arrived('SubscriptionConfirmation');
  return { topic, subscription, arrival: arrival as Arrival, body: JSON.parse(String(arrival?.body)) };
}

async function notificationOf(
  { newTopic, newSubscriber, publish }: Deployment,
  body: unknown = event,
  { subject, deliveryFormat = 'raw' }: { readonly subject?: string | undefined; readonly deliveryFormat?: string } = {},
) {
  const topic = await newTopic();
  const { webhook, subscription } = await newSubscriber(topic, { deliveryFormat });
  const messageId = await publish(topic, body, subject === undefined ? {} : { query: { subject } });
  const [arrival] = await webhook.arrived('Notification');
  return { topic, subscription, messageId, arrival: arrival as Arrival };
}

const bodiesOf = (arrivals: readonly Arrival[]) => arrivals.map(({ body }) => JSON.parse(String(body)));

const isDateTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);

const field = (
  name: string,
  isMet: (text: string, of: Awaited<ReturnType<typeof confirmationOf>>) => boolean,
): Check => {
  return async (deployment) => {
    const found = await confirmationOf(deployment);
    hasFields('the confirmation message', found.body, { [name]: 'string' });
    // The error message does not quote the field, because the field may contain the secret token.
    ensure(isMet(found.body[name], found), `${name} of the confirmation message has an unexpected value`);
  };
};
const isConfirmUrl = (text: string): boolean => new URL(text).pathname.endsWith('/v1/subscriptions/confirm');

export const messages = [
  ...requirementsOf('2.7 Confirmation message', {
    'type is SubscriptionConfirmation': field('type', (text) => text === 'SubscriptionConfirmation'),
    'the `token` field contains the token that confirms the subscription': field('token', (text) => text.length > 20),
    'the `topic` field contains the topic name': field('topic', (text, { topic }) => text === topic.name),
    'message is text': field('message', (text) => text.length > 0),
    'messageId equals the header message-id': field(
      'messageId',
      (text, { arrival }) => text === arrival.headers['message-id'],
    ),
    'subject is text': field('subject', () => true),
    'subscribeURL is the URL that confirms': field('subscribeURL', isConfirmUrl),
    'confirmURL is the URL that confirms': field('confirmURL', isConfirmUrl),
    'timestamp is a date-time': field('timestamp', isDateTime),
  }),
  ...requirementsOf('2.7 Delivery headers', {
    'confirmations have the headers message-type, message-id, topic-id and subscription-id': async (deployment) => {
      const { arrival, topic, subscription } = await confirmationOf(deployment);
      equal('message-type', arrival.headers['message-type'], 'SubscriptionConfirmation');
      equal('topic-id', arrival.headers['topic-id'], topic.uuid);
      equal('subscription-id', arrival.headers['subscription-id'], subscription.uuid);
      ensure(isUuid(arrival.headers['message-id']), 'message-id is not a UUID');
    },
    'events have the headers message-type, message-id, topic-id and subscription-id': async (deployment) => {
      const { arrival, topic, subscription, messageId } = await notificationOf(deployment);
      equal('message-type', arrival.headers['message-type'], 'Notification');
      equal('topic-id', arrival.headers['topic-id'], topic.uuid);
      equal('subscription-id', arrival.headers['subscription-id'], subscription.uuid);
      equal('message-id', arrival.headers['message-id'], messageId);
    },
    'a delivery is a POST': async (deployment) => {
      const { arrival } = await notificationOf(deployment);
      equal('method', arrival.method, 'POST');
    },
  }),
  ...requirementsOf('2.7 Event delivery', {
    'the body is identical to the published event, byte for byte': async (deployment) => {
      const text = '{ "source":"conformance",\n "uin":"décès ✓" }';
      const { arrival } = await notificationOf(deployment, text);
      equal('body', String(arrival.body), text);
    },
    'the Content-Type is application/json for JSON and text/plain for other text': async (deployment) => {
      const types = await Promise.all(
        ['{"a":1}', 'plain text'].map(async (body) => {
          const { arrival } = await notificationOf(deployment, body);
          return arrival.headers['content-type']?.split(';')[0];
        }),
      );
      equal('Content-Type', types, ['application/json', 'text/plain']);
    },
  }),
  ...requirementsOf('client guide: delivery format', {
    'in an envelope, the Message object contains the event as a string and always has a subject': async (
      deployment,
    ) => {
      for (const subject of ['conformance', undefined]) {
        const text = '{ "source":"conformance",\n "uin":"décès ✓" }';
        const found = await notificationOf(deployment, text, { subject, deliveryFormat: 'envelope' });
        const { timestamp, ...rest } = JSON.parse(String(found.arrival.body));
        const { topic, messageId } = found;
        const fields = { type: 'Notification', topic: topic.name, message: text, messageId, subject: subject ?? '' };
        equal('the fields', rest, fields);
        ensure(isDateTime(String(timestamp)), `the timestamp is ${timestamp}`);
      }
    },
    'receivers with different formats receive the same event': async ({ newTopic, newSubscriber, publish }) => {
      const topic = await newTopic();
      const raw = await newSubscriber(topic, { deliveryFormat: 'raw' });
      const envelope = await newSubscriber(topic, { deliveryFormat: 'envelope' });
      await publish(topic, event);
      equal('the event', bodiesOf(await raw.webhook.arrived('Notification')), [event]);
      const [message] = bodiesOf(await envelope.webhook.arrived('Notification'));
      equal('the event in an envelope', JSON.parse(message.message), event);
    },
    'PATCH changes the delivery format, and the subscription status shows the new format': async ({
      newTopic,
      newSubscriber,
      publish,
      call,
    }) => {
      const topic = await newTopic();
      const { webhook, subscription } = await newSubscriber(topic, { deliveryFormat: 'envelope' });
      const path = `/v1/subscriptions/${subscription.uuid}`;
      equal('the first format', expectSuccess(await call('GET', path)).deliveryFormat, 'envelope');
      expectSuccess(await call('PATCH', path, { body: { deliveryFormat: 'raw' } }));
      equal('the changed format', expectSuccess(await call('GET', path)).deliveryFormat, 'raw');
      await publish(topic, event);
      equal('the event', bodiesOf(await webhook.arrived('Notification')), [event]);
    },
    'any other format returns 400': async ({ newTopic, newSubscriber, call }) => {
      const topic = await newTopic();
      const { subscription } = await newSubscriber(topic);
      const query = { topic: topic.name, address: 'https://receiver.example.org/', deliveryFormat: 'xml' };
      expectErrorNaming(await call('POST', '/v1/subscriptions', { query }), 400, 'deliveryFormat');
      const mail = { topic: topic.name, protocol: 'email', address: 'a@example.org', deliveryFormat: 'raw' };
      expectErrorNaming(await call('POST', '/v1/subscriptions', { query: mail }), 400, 'deliveryFormat');
      const body = { deliveryFormat: 'xml' };
      const path = `/v1/subscriptions/${subscription.uuid}`;
      expectErrorNaming(await call('PATCH', path, { body }), 400, 'deliveryFormat');
    },
  }),
];
