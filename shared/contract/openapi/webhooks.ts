import type { JsonObject } from '../json-schema.ts';
import { anyJson } from './any-json.ts';

const id = '01940b6e-2f7a-7c3e-8a51-6d0f1b2c3d4e';
const topicId = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
const timestamp = '2026-11-20T08:00:00.000Z';
const uuid = { type: 'string', format: 'uuid' };
const text = { type: 'string' };
const confirmURL = 'https://registry.example.org/v1/subscriptions/confirm?token=AZIh0aR8G4qcVQ86XSt-YQ.47DEQpj8HBSa';
const covered = '"message-type" "message-id" "topic-id" "content-digest"';

const header = (name: string, description: string, schema: JsonObject, example: unknown, required = true) => ({
  name,
  in: 'header',
  description,
  required,
  schema,
  example,
});

const signed = [
  header(
    'content-digest',
    'SHA-256 of the body (RFC 9530).',
    text,
    'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
  ),
  header(
    'signature-input',
    'What `signature` covers, when it was made and by which key of /v1/.well-known/jwks.json (RFC 9421).',
    text,
    `sig1=(${covered});created=1795161600;keyid="k3Zr0Yb1";alg="ed25519"`,
  ),
  header(
    'signature',
    'A signature by each key that is valid now: verify one of them.',
    text,
    'sig1=:uYb3kZ9uVtD1xw==:',
  ),
  header('webhook-id', 'The message id (Standard Webhooks).', uuid, id),
  header(
    'webhook-timestamp',
    'When it was signed, epoch seconds.',
    { type: 'string', pattern: '^\\d+$' },
    '1795161600',
  ),
  header('webhook-signature', '`v1a` is Ed25519 over id, timestamp and body.', text, 'v1a,uYb3kZ9uVtD1xw=='),
];

const headersOf = (type: string) => [
  header('message-type', 'What the message is.', { const: type }, type),
  header('message-id', 'Unique id of the message, the same at every attempt.', uuid, id),
  header('topic-id', 'Unique id of the topic.', uuid, topicId),
  header('subscription-id', 'Unique id of the subscription; no signature covers it.', uuid, topicId),
  ...(type === 'Notification'
    ? [
        header(
          'subject',
          'The publisher’s subject, percent-encoded UTF-8; where there was one.',
          text,
          'liveBirth',
          false,
        ),
      ]
    : []),
  ...signed,
];

const responses = {
  '2XX': { description: 'Taken, by whatever status from 200 to 299, within 15 seconds.' },
  '410': { description: 'Send nothing more: the subscription is paused, or the request to confirm ended.' },
  '429': {
    description: 'Wait: tried again, not before `Retry-After`. So is 503.',
    headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' }, example: 60 } },
  },
  default: { description: 'Failed: tried again by the policy. Redirects, too.' },
};

const said = (description: string, schema: JsonObject): JsonObject => ({ ...schema, description });

/** Bodies that deliveries have, by the names of their schemas. */
export const webhookSchemas: JsonObject = {
  SubscriptionConfirmation: {
    description: 'Asks the address to confirm: call the confirmURL with an access token.',
    type: 'object',
    required: ['type', 'token', 'topic', 'message', 'messageId', 'subject', 'subscribeURL', 'confirmURL', 'timestamp'],
    properties: {
      type: { const: 'SubscriptionConfirmation', description: 'What the message is.' },
      token: said('For the operation that confirms; valid for 3 days.', text),
      topic: said('Name of the topic.', text),
      message: said('For people.', text),
      messageId: said('Unique id of the message.', uuid),
      subject: said('For people.', text),
      subscribeURL: said('As confirmURL.', { type: 'string', format: 'uri' }),
      confirmURL: said('The address to call, with the token in it.', { type: 'string', format: 'uri' }),
      timestamp: said('When it was made.', { type: 'string', format: 'date-time' }),
    },
  },
  Message: {
    description: 'OSIA’s Message object around an event, where the deployment sets `deliveryFormat` to `envelope`.',
    type: 'object',
    required: ['type', 'topic', 'message', 'messageId', 'subject', 'timestamp'],
    properties: {
      type: { const: 'Notification', description: 'What the message is.' },
      topic: said('Name of the topic.', text),
      message: said('The event as it was published.', text),
      messageId: said('Unique id of the message.', uuid),
      subject: said('The publisher’s subject; empty when there was none.', text),
      timestamp: said('When it was published.', { type: 'string', format: 'date-time' }),
    },
  },
};

const confirmation = {
  type: 'SubscriptionConfirmation',
  token: 'AZIh0aR8G4qcVQ86XSt-YQ.47DEQpj8HBSa',
  topic: 'CR',
  message: 'You have chosen to subscribe to the topic CR. To confirm, call the confirmURL.',
  messageId: id,
  subject: 'Confirm your subscription',
  subscribeURL: confirmURL,
  confirmURL,
  timestamp,
};

const webhook = (type: string, summary: string, description: string, content: JsonObject): JsonObject => ({
  post: {
    operationId: `receive${type}`,
    summary,
    description,
    tags: ['deliveries'],
    security: [],
    parameters: headersOf(type),
    requestBody: { required: true, content },
    responses,
  },
});

/** What the service sends to the addresses of http subscriptions, given the names of the schemas of events. */
export const webhooks = (eventTypes: readonly string[]): JsonObject => ({
  SubscriptionConfirmation: webhook(
    'SubscriptionConfirmation',
    'An address is asked to confirm a subscription',
    'Sent when somebody subscribes the address. Whoever wants the events calls the confirmURL.',
    {
      'application/json': { schema: { $ref: '#/components/schemas/SubscriptionConfirmation' }, example: confirmation },
    },
  ),
  Notification: webhook(
    'Notification',
    'An event is delivered',
    'The body is the event as it was published. Verify a signature before you act on it, and keep the ids you have seen.',
    {
      'application/json': {
        schema: {
          anyOf: [
            { $ref: '#/components/schemas/Message' },
            ...eventTypes.map((type) => ({ $ref: `#/components/schemas/${type}` })),
            anyJson,
          ],
        },
        example: { source: 'CRVS', uin: '194837260511' },
      },
      'text/plain': { schema: text, example: 'any text' },
    },
  ),
});
