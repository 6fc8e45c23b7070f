import type { Deployment } from '../deployment.ts';
import type { Arrival } from '../receiver.ts';
import { type Check, hasFields, holds, isUuid, NotTried, same, sentencesOf } from '../sentence.ts';

const event = { source: 'conformance', uin: '1' };

async function confirmationOf({ newTopic, newLetterbox, subscribe }: Deployment) {
  const topic = await newTopic();
  const letterbox = newLetterbox();
  const subscription = await subscribe(topic, letterbox.address);
  const [arrival] = await letterbox.arrived('SubscriptionConfirmation');
  return { topic, subscription, arrival: arrival as Arrival, body: JSON.parse(String(arrival?.body)) };
}

async function notificationOf(
  { newTopic, newSubscriber, publish }: Deployment,
  body: unknown = event,
  subject?: string,
) {
  const topic = await newTopic();
  const { letterbox, subscription } = await newSubscriber(topic);
  const messageId = await publish(topic, body, subject === undefined ? {} : { query: { subject } });
  const [arrival] = await letterbox.arrived('Notification');
  return { topic, subscription, messageId, arrival: arrival as Arrival };
}

/** The Message object that an event was sent in; undefined where it was sent as it is. */
function envelopeOf({ body, headers }: Arrival): Readonly<Record<string, unknown>> | undefined {
  if (!headers['content-type']?.startsWith('application/json')) return undefined;
  const parsed = JSON.parse(String(body));
  return parsed?.type === 'Notification' ? parsed : undefined;
}

/** The body of an event. @throws NotTried where it was sent in an envelope */
export function bodyIn(arrival: Arrival): string {
  if (envelopeOf(arrival) === undefined) return String(arrival.body);
  throw new NotTried('the deployment sends events in an envelope (its setting deliveryFormat)');
}

/** The envelope of an event. @throws NotTried where it was sent as it is */
function envelopeIn(arrival: Arrival): Readonly<Record<string, unknown>> {
  const found = envelopeOf(arrival);
  if (found !== undefined) return found;
  throw new NotTried('needs a deployment that sends events in an envelope (its setting deliveryFormat)');
}

const isDateTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);

const field = (
  name: string,
  isSo: (text: string, of: Awaited<ReturnType<typeof confirmationOf>>) => boolean,
): Check => {
  return async (deployment) => {
    const found = await confirmationOf(deployment);
    hasFields('the confirmation message', found.body, { [name]: 'string' });
    // It may hold the token, which is nobody's business.
    holds(isSo(found.body[name], found), `${name} of the confirmation message is not as promised`);
  };
};
const leadsHere = (text: string): boolean => new URL(text).pathname.endsWith('/v1/subscriptions/confirm');

export const messages = [
  ...sentencesOf('2.7 Confirmation message', {
    'type is SubscriptionConfirmation': field('type', (text) => text === 'SubscriptionConfirmation'),
    'token is text to be passed to confirm': field('token', (text) => text.length > 20),
    'topic is the topic': field('topic', (text, { topic }) => text === topic.name),
    'message is text': field('message', (text) => text.length > 0),
    'messageId is that of the header': field(
      'messageId',
      (text, { arrival }) => text === arrival.headers['message-id'],
    ),
    'subject is text': field('subject', () => true),
    'subscribeURL is the address that confirms': field('subscribeURL', leadsHere),
    'confirmURL is the address that confirms': field('confirmURL', leadsHere),
    'timestamp is a date-time': field('timestamp', isDateTime),
  }),
  ...sentencesOf('2.7 Delivery headers', {
    'of a confirmation: message-type, message-id, topic-id, subscription-id': async (deployment) => {
      const { arrival, topic, subscription } = await confirmationOf(deployment);
      same('message-type', arrival.headers['message-type'], 'SubscriptionConfirmation');
      same('topic-id', arrival.headers['topic-id'], topic.uuid);
      same('subscription-id', arrival.headers['subscription-id'], subscription.uuid);
      holds(isUuid(arrival.headers['message-id']), 'message-id is no UUID');
    },
    'of an event: message-type, message-id, topic-id, subscription-id': async (deployment) => {
      const { arrival, topic, subscription, messageId } = await notificationOf(deployment);
      same('message-type', arrival.headers['message-type'], 'Notification');
      same('topic-id', arrival.headers['topic-id'], topic.uuid);
      same('subscription-id', arrival.headers['subscription-id'], subscription.uuid);
      same('message-id', arrival.headers['message-id'], messageId);
    },
    'a delivery is a POST': async (deployment) => {
      const { arrival } = await notificationOf(deployment);
      same('its method', arrival.method, 'POST');
    },
  }),
  ...sentencesOf('2.7 Event delivery', {
    'the body is the event as it was published, byte for byte': async (deployment) => {
      const text = '{ "source":"conformance",\n "uin":"décès ✓" }';
      const { arrival } = await notificationOf(deployment, text);
      same('the body', bodyIn(arrival), text);
    },
    'what is JSON comes as application/json, other text as text/plain': async (deployment) => {
      const types = await Promise.all(
        ['{"a":1}', 'bare text'].map(async (body) => {
          const { arrival } = await notificationOf(deployment, body);
          bodyIn(arrival);
          return arrival.headers['content-type']?.split(';')[0];
        }),
      );
      same('Content-Type', types, ['application/json', 'text/plain']);
    },
  }),
  ...sentencesOf('our page: envelope', {
    'the event is text in OSIA’s Message object, whose subject is always there': async (deployment) => {
      for (const subject of ['conformance', undefined]) {
        const text = '{ "source":"conformance",\n "uin":"décès ✓" }';
        const { arrival, topic, messageId } = await notificationOf(deployment, text, subject);
        const { timestamp, ...rest } = envelopeIn(arrival);
        const fields = { type: 'Notification', topic: topic.name, message: text, messageId, subject: subject ?? '' };
        same('its fields', rest, fields);
        holds(isDateTime(String(timestamp)), `its timestamp is ${timestamp}`);
      }
    },
  }),
];
