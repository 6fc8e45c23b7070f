import type { JsonObject } from '../schemas.ts';
import type { Components } from './openapi-file.ts';

const id = '01940b6e-2f7a-7c3e-8a51-6d0f1b2c3d4e';
const topicId = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
const uuid = { type: 'string', format: 'uuid' };
const text = { type: 'string' };
const digits = { type: 'string', pattern: '^\\d+$' };
const confirmURL = 'https://registry.example.org/v1/subscriptions/confirm?token=AZIh0aR8.47DEQpj8';
const covered = '"message-type" "message-id" "topic-id" "content-digest"';

const header = (name: string, description: string, example: string, schema: JsonObject = text) => ({
  name,
  in: 'header',
  description,
  // Events need no subject.
  ...(name !== 'subject' && { required: true }),
  schema,
  example,
});

const headersOf = (type: string) => [
  header('message-type', 'The type of the message.', type, { const: type }),
  header('message-id', 'The unique id of the message, which is the same for every attempt.', id, uuid),
  header('topic-id', 'The unique id of the topic.', topicId, uuid),
  header('subscription-id', 'The unique id of the subscription. No signature covers this header.', topicId, uuid),
  ...(type === 'Notification'
    ? [header('subject', 'The subject given by the publisher, if any, in percent-encoded UTF-8.', 'liveBirth')]
    : []),
  header(
    'content-digest',
    'The SHA-256 digest of the body (RFC 9530).',
    'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
  ),
  header(
    'signature-input',
    'The parts that `signature` covers, the signing time, and the key id in /v1/.well-known/jwks.json (RFC 9421).',
    `sig1=(${covered});created=1795161600;keyid="k3Zr0Yb1";alg="ed25519"`,
  ),
  header('signature', 'One signature for each valid key. Verify one of the signatures.', 'sig1=:uYb3kZ9uVtD1xw==:'),
  header('webhook-id', 'The message id (Standard Webhooks).', id, uuid),
  header('webhook-timestamp', 'The signing time in epoch seconds.', '1795161600', digits),
  header('webhook-signature', '`v1a` is an Ed25519 signature of the id, timestamp and body.', 'v1a,uYb3kZ9uVtD1xw=='),
];

/** The responses that receivers may return, with their effect on the delivery. */
export const deliveryResponses: Components['responses'] = {
  DeliveryAccepted: { description: 'Accepted. Any status from 200 to 299 within 15 seconds means success.' },
  DeliveryStopped: { description: 'Stop. The service pauses the subscription or cancels its confirmation request.' },
  DeliveryPostponed: {
    description:
      'Wait. The delivery is retried after the time in `Retry-After`. Status 503 also postpones the delivery.',
    headers: {
      'Retry-After': { description: 'The number of seconds to wait.', schema: { type: 'integer' }, example: 60 },
    },
  },
  DeliveryFailed: {
    description: 'Failed. The policy determines the retries. Redirects also count as failures.',
  },
};

const field = (description: string, schema: JsonObject): JsonObject => ({ ...schema, description });

/** The schemas of the bodies that the service delivers, by name. */
export const deliverySchemas: Components['schemas'] = {
  DeliveredBody: {
    description: 'The event as published or, in an envelope, a Message object.',
    anyOf: [{ $ref: '#/components/schemas/Message' }, { $ref: '#/components/schemas/EventBody' }],
  },
  SubscriptionConfirmation: {
    description: 'A confirmation request. To confirm the subscription, call the confirmURL with an access token.',
    type: 'object',
    required: ['type', 'token', 'topic', 'message', 'messageId', 'subject', 'subscribeURL', 'confirmURL', 'timestamp'],
    properties: {
      type: field('The type of the message.', { const: 'SubscriptionConfirmation' }),
      token: field('The token for `confirmSubscription`, valid for 3 days.', text),
      topic: field('The name of the topic.', text),
      message: field('A text for people.', text),
      messageId: field('The unique id of the message.', uuid),
      subject: field('A text for people.', text),
      subscribeURL: field('The same address as confirmURL.', { type: 'string', format: 'uri' }),
      confirmURL: field('The address to call. It contains the token.', { type: 'string', format: 'uri' }),
      timestamp: field('The time of the request.', { type: 'string', format: 'date-time' }),
    },
  },
  Message: {
    description: 'The Message object that contains an event if `deliveryFormat` is `envelope`.',
    type: 'object',
    required: ['type', 'topic', 'message', 'messageId', 'subject', 'timestamp'],
    properties: {
      type: field('The type of the message.', { const: 'Notification' }),
      topic: field('The name of the topic.', text),
      message: field('The event as published.', text),
      messageId: field('The unique id of the message.', uuid),
      subject: field('The subject given by the publisher, or an empty string.', text),
      timestamp: field('The time of the publication.', { type: 'string', format: 'date-time' }),
    },
  },
};

const confirmation = {
  type: 'SubscriptionConfirmation',
  token: 'AZIh0aR8.47DEQpj8',
  topic: 'CR',
  message: 'You have chosen to subscribe to the topic CR. To confirm, call the confirmURL.',
  messageId: id,
  subject: 'Confirm your subscription',
  subscribeURL: confirmURL,
  confirmURL,
  timestamp: '2026-11-20T08:00:00.000Z',
};

const callback = (type: string, summary: string, description: string, content: JsonObject): JsonObject => ({
  '{$request.query.address}': {
    post: {
      operationId: `receive${type}`,
      summary,
      description,
      tags: ['deliveries'],
      security: [],
      parameters: headersOf(type),
      requestBody: { required: true, content },
      responses: {
        '2XX': { $ref: '#/components/responses/DeliveryAccepted' },
        '410': { $ref: '#/components/responses/DeliveryStopped' },
        '429': { $ref: '#/components/responses/DeliveryPostponed' },
        default: { $ref: '#/components/responses/DeliveryFailed' },
      },
    },
  },
});

/** Describes the requests that the service sends to the address of a subscription. */
export const deliveryCallbacks: JsonObject = {
  onConfirmation: callback(
    'SubscriptionConfirmation',
    'Ask the owner of an address to confirm a subscription',
    'Sent when a client requests a subscription for the address. To receive events, call the confirmURL in the body.',
    {
      'application/json': { schema: { $ref: '#/components/schemas/SubscriptionConfirmation' }, example: confirmation },
    },
  ),
  onEvent: callback(
    'Notification',
    'Deliver an event',
    'Verify a signature before you act on the event. Store message ids to skip duplicates.',
    {
      'application/json': {
        schema: { $ref: '#/components/schemas/DeliveredBody' },
        example: { source: 'CRVS', uin: '194837260511' },
      },
      'text/plain': { schema: text, example: 'any text' },
    },
  ),
};
