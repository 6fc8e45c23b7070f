import * as z from 'zod/mini';
import { attempt, delivery } from '../../domain/deliveries/delivery.ts';
import { messageIdResponse } from '../../domain/deliveries/message.ts';
import { publicKey, publicKeys } from '../../domain/deliveries/public-key.ts';
import { recovery } from '../../domain/deliveries/recovery.ts';
import { errorObject } from '../../domain/error.ts';
import { attributeMap, attributeResults, foundPerson } from '../../domain/persons/attributes.ts';
import { expression, expressions, matchingError } from '../../domain/persons/expression.ts';
import {
  attemptEnd,
  maxWaitingShown,
  subscriptionStatus,
  testAttemptEnd,
} from '../../domain/subscriptions/show-subscription.ts';
import { subscription } from '../../domain/subscriptions/subscription.ts';
import { subscriptionPatch } from '../../domain/subscriptions/subscription-patch.ts';
import { lineLength, lineOfText, uuid } from '../../domain/text.ts';
import { topic } from '../../domain/topics/topic.ts';
import type { JsonObject } from '../schemas.ts';

/**
 * JSON Schema fields that are added to schemas: `description`, `examples`, `format`, and `id` with the component's
 * name. The annotations are kept separate from the schemas, so that functions do not load the annotations.
 */
export const annotations = z.registry<JsonObject>();

/**
 * The object schemas that extend another schema. The OpenAPI files refer to the extended schema instead of repeating
 * its fields.
 */
export const extendedSchemas: ReadonlyMap<unknown, z.ZodMiniObject> = new Map<unknown, z.ZodMiniObject>([
  [subscriptionStatus, subscription],
  [testAttemptEnd, attemptEnd],
]);

/** Names an object schema, and describes the schema and each of its fields. */
function describeObject<S extends z.ZodMiniObject>(
  id: string,
  schema: S,
  description: string,
  fields: { readonly [Name in keyof S['shape']]: JsonObject },
): void {
  annotations.add(schema, { id, description });
  for (const [name, field] of Object.entries<JsonObject>(fields)) {
    annotations.add(schema.shape[name] as z.ZodMiniType, field);
  }
}

const field = (description: string, example: unknown, more: JsonObject = {}): JsonObject => ({
  description,
  examples: [example],
  ...more,
});

// Times and UUIDs need no example, because the format shows what a value looks like.
const timeField = (description: string): JsonObject => ({ description, format: 'date-time' });
const uuidField = (description: string): JsonObject => ({ description, format: 'uuid' });

annotations.add(lineOfText, { maxLength: lineLength });
annotations.add(uuid, { format: 'uuid' });

describeObject('Error', errorObject, 'The OSIA Error object, which states the problem and how to correct it.', {
  code: field('A stable code. The error catalogue lists the codes.', 1002),
  message: field(
    'A human-readable message that never contains attribute values or tokens.',
    'limit in the query must be a number from 1 to 1000',
  ),
});

describeObject('Topic', topic, 'A named channel to which events are published.', {
  uuid: uuidField("The unique id, which is derived from the topic's name."),
  name: field('The name. Publishers and subscribers may use the name instead of the UUID.', 'CR'),
  title: field('The text that people see instead of the name, if the topic has a title.', 'Civil registration'),
});

const messageId = uuidField('The message id, which each delivery contains in the `message-id` header.');
describeObject('MessageId', messageIdResponse, 'The id of an accepted message.', { messageId });

const subscriptionFields = {
  uuid: uuidField('The subscription id.'),
  topic: field('The name of the topic.', 'CR'),
  protocol: field('How messages reach the address.', 'http'),
  address: field('A URL or an email address.', 'https://receiver.example.org/events'),
  policy: field(
    '`countdown,max`: seconds between attempts, and maximum number of retries (-1 for no limit).',
    '3600,168',
    { pattern: '^\\d+,-?\\d+$' },
  ),
  active: field('Whether events are delivered.', true),
  subjects: field('The filter, if the subscription has one.', ['death', 'liveBirth']),
};
describeObject('Subscription', subscription, 'An address that receives the events of a topic.', subscriptionFields);

const endingFields = {
  class: field('The result: `delivered` or the kind of failure.', 'http'),
  status: field("The receiver's HTTP status, if any.", 503),
  code: field('The error code of a failure without a status.', 'ECONNREFUSED'),
  at: timeField('The time when the attempt ended.'),
};
describeObject('Ending', attemptEnd, 'The result of an attempt.', endingFields);
describeObject('TestEnding', testAttemptEnd, 'The result of a test event.', { messageId, ...endingFields });
describeObject('SubscriptionStatus', subscriptionStatus, 'A subscription and its state.', {
  ...subscriptionFields,
  deliveryFormat: { description: 'The format of events sent over http.' },
  state: field('The state. Only an active subscription receives events.', 'active'),
  stateReason: field("The reason for the subscription's state, if any.", 'failing'),
  createdAt: timeField('The time of the first subscribe request.'),
  confirmedAt: timeField('The time of the first confirmation.'),
  lastDeliveredAt: timeField('The time of the latest known delivery.'),
  lastFailure: { description: 'The latest failure of a waiting or failed delivery, or of the confirmation request.' },
  lastTest: { description: 'The result of the last test event.' },
  attempts: { description: 'The attempts to deliver the latest open confirmation request, oldest first.' },
  nextAttemptAt: timeField('The earliest time of the next attempt to deliver the confirmation request.'),
  waiting: field(`The number of waiting deliveries, at most ${maxWaitingShown}.`, 0, { minimum: 0 }),
});

describeObject('SubscriptionPatch', subscriptionPatch, 'The fields to change, as a merge patch (RFC 7396).', {
  policy: field('`countdown,max`. Null restores the default.', '600,10'),
  subjects: field('The filter. Null removes it.', ['death']),
  deliveryFormat: { description: 'The format of events sent over http. Null restores the default.' },
});

describeObject('Attempt', attempt, 'One attempt to deliver a message.', {
  at: timeField('The time when the request was sent to the receiver.'),
  class: field('The result.', 'delivered'),
  status: field('The HTTP status of the receiver.', 200),
  code: field('The error code of a failure without a status.', 'ECONNREFUSED'),
  durationMs: field("The receiver's response time in milliseconds.", 42, { minimum: 0 }),
  response: field(
    'The first 512 bytes of the response to the last attempt, if this attempt failed. ' +
      'Returned only if the deployment keeps responses, and only to the owner of the subscription.',
    'unknown signing key',
  ),
});
describeObject('Delivery', delivery, 'The delivery of a message to one subscription.', {
  messageId,
  type: field('Absent for events.', 'SubscriptionConfirmation'),
  subject: field('The subject given by the publisher.', 'liveBirth'),
  publishedAt: timeField('The time of the publication or of the subscribe request.'),
  state: field('The state of the delivery.', 'delivered'),
  attempts: { description: 'The last ten attempts, oldest first.' },
  nextAttemptAt: timeField('The earliest time of the next attempt, if there is one.'),
});
describeObject('Recovery', recovery, 'The period of a recovery: from `since` to `until`.', {
  since: timeField('The start of the period.'),
  until: timeField('The end of the period.'),
});

annotations.add(attributeMap, {
  id: 'PersonAttributes',
  description: "A person's attributes by name. A null or blank value means that the attribute is absent.",
});
annotations.add(foundPerson, {
  id: 'FoundPerson',
  description: 'The UIN of a person or, if `names` is given, the requested attributes.',
});
annotations.add(attributeResults, {
  id: 'PersonAnswer',
  description:
    'The requested attributes by name. For an attribute that the person lacks, the value is an Error object (code 1023).',
});
describeObject('Expression', expression, 'A comparison of one attribute with a value.', {
  attributeName: field('The attribute.', 'dateOfBirth'),
  operator: field('The comparison. Dates are compared as dates, gender as a number, and text by code point.', '<='),
  value: field('The value to compare with.', '2008-11-20'),
});
annotations.add(expressions, { description: 'Expressions that must all be true.' });
describeObject('MatchingError', matchingError, 'An attribute that does not match.', {
  attributeName: field('The attribute.', 'lastName'),
  errorCode: field('0 if the person lacks the attribute, 1 if the value differs.', 1, { type: 'integer' }),
});

describeObject('PublicKey', publicKey, 'A public Ed25519 key (RFC 8037).', {
  kty: field('The key type.', 'OKP'),
  crv: field('The curve.', 'Ed25519'),
  x: field('The key in base64url.', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
  kid: field('The key id, as it appears in signatures.', 'k3Zr0Yb1'),
  alg: field('The algorithm.', 'EdDSA'),
  use: field('The purpose of the key: to verify signatures.', 'sig'),
});
describeObject('JsonWebKeySet', publicKeys, 'A JSON Web Key Set (RFC 7517).', {
  keys: { description: 'The keys that are currently valid.' },
});
