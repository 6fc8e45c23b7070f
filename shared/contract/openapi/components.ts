import { publicKey, publicKeys } from '../../domain/deliveries/public-key.ts';
import { errorObject } from '../../domain/error.ts';
import { attributeAnswers, attributeMap } from '../../domain/persons/attributes.ts';
import { expression, expressions, matchingError } from '../../domain/persons/expression.ts';
import { subscription } from '../../domain/subscriptions/subscription.ts';
import { lineOfText, uuid } from '../../domain/text.ts';
import { attempt, delivery } from '../../model/deliveries/delivery.ts';
import { messageIdAnswer } from '../../model/deliveries/message-id.ts';
import { recovery } from '../../model/deliveries/recovery.ts';
import { ending, mostWaiting, subscriptionStatus, testEnding } from '../../model/subscriptions/status.ts';
import { subscriptionPatch } from '../../model/subscriptions/subscription-patch.ts';
import { topic } from '../../model/topics/topic.ts';
import { anUuid, describeObject, moment, say, words } from './words.ts';

words.add(lineOfText, { maxLength: 256 });
words.add(uuid, { format: 'uuid' });

describeObject('Error', errorObject, 'OSIA’s Error object: what was wrong, and how to mend it.', {
  code: say('Stable; the error catalogue says what it means.', 1002),
  message: say(
    'For people; it never holds an attribute value or a token.',
    'limit in the query must be a number from 1 to 1000',
  ),
});

describeObject('Topic', topic, 'A named channel that events are published to.', {
  uuid: anUuid('Unique id; a function of the name.'),
  name: say('Name, which may stand in the place of the uuid.', 'CR'),
});

const messageId = anUuid('On every delivery of the message, as `message-id`.', '01940b6e-2f7a-7c3e-8a51-6d0f1b2c3d4e');
describeObject('MessageId', messageIdAnswer, 'The id of a message that was taken.', { messageId });

describeObject('Subscription', subscription, 'An address that receives the events of a topic.', {
  uuid: anUuid('Unique id of the subscription.', '7b1f2c3d-4e5f-8a6b-9c7d-8e9fa0b1c2d3'),
  topic: say('Name of the topic.', 'CR'),
  protocol: say('How the address is reached.', 'http'),
  address: say('Where the events go: a URL, or a mailbox.', 'https://receiver.example.org/events'),
  policy: say('`countdown,max`: seconds between two attempts, and retries; -1 is without end.', '3600,168', {
    pattern: '^\\d+,-?\\d+$',
  }),
  active: say('True while events are delivered.', true),
  subjects: say('The filter; only where there is one.', ['death', 'liveBirth']),
});

const endingFields = {
  class: say('How it ended: `delivered`, or the kind of the failure.', 'http'),
  status: say('The receiver’s status, where there was one.', 503),
  at: moment('When it ended.'),
};
describeObject('Ending', ending, 'How an attempt ended.', endingFields);
describeObject('TestEnding', testEnding, 'How a test event ended.', { messageId, ...endingFields });
const { state, stateReason, createdAt, confirmedAt, lastDeliveredAt, lastFailure, lastTest, waiting } =
  subscriptionStatus.shape;
words.add(subscriptionStatus, { id: 'SubscriptionStatus', description: 'A subscription and how it stands.' });
words.add(state, say('Only an active one is sent events.', 'active'));
words.add(stateReason, say('Why it stands so, where there is more to say.', 'failing'));
words.add(createdAt, moment('When it was first asked for.'));
words.add(confirmedAt, moment('When it was first confirmed.'));
words.add(lastDeliveredAt, moment('The latest delivery that is known.'));
words.add(lastFailure, { description: 'The latest failure of what waits or has failed for good.' });
words.add(lastTest, { description: 'How the last test event ended.' });
words.add(waiting, say(`Deliveries that wait for another attempt, counted to ${mostWaiting}.`, 0, { minimum: 0 }));

describeObject('SubscriptionPatch', subscriptionPatch, 'What may be changed, as a merge patch (RFC 7396).', {
  policy: say('`countdown,max`; null: the default.', '600,10'),
  subjects: say('The filter; null: none.', ['death']),
});

describeObject('Attempt', attempt, 'One attempt to deliver a message.', {
  at: moment('When the receiver was asked.'),
  class: say('How it ended.', 'delivered'),
  status: say('The receiver’s status.', 200),
  durationMs: say('How long the receiver took, milliseconds.', 42, { minimum: 0 }),
});
describeObject('Delivery', delivery, 'What became of a message for one subscription.', {
  messageId,
  subject: say('The publisher’s subject.', 'liveBirth'),
  publishedAt: moment('When it was published.'),
  state: say('What became of it.', 'delivered'),
  attempts: { description: 'The last ten, the oldest first.' },
  nextAttemptAt: moment('Not before; while it waits for another attempt.'),
});
describeObject('Recovery', recovery, 'What a recovery covers: what was published from `since` to `until`.', {
  since: moment('From when on.'),
  until: moment('Until when.', '2026-11-20T09:00:00.000Z'),
});

words.add(attributeMap, {
  id: 'PersonAttributes',
  description: 'Attributes of a person by their names. Null, as a blank text, means that it is not given.',
});
words.add(attributeAnswers, {
  id: 'PersonAnswer',
  description: 'What was asked for, by name: the value, or an Error object (code 1023) where there is none to give.',
});
describeObject('Expression', expression, 'A simple expression on an attribute.', {
  attributeName: say('The attribute.', 'dateOfBirth'),
  operator: say('How it is compared: dates as dates, gender as a number, text by code point.', '<='),
  value: say('With what.', '2008-11-20'),
});
words.add(expressions, { description: 'Expressions that must all hold.' });
describeObject('MatchingError', matchingError, 'An attribute that does not match.', {
  attributeName: say('The attribute.', 'lastName'),
  errorCode: say('0: the person has no such attribute; 1: it differs.', 1),
});

describeObject('PublicKey', publicKey, 'A public Ed25519 key (RFC 8037).', {
  kty: say('Type of the key.', 'OKP'),
  crv: say('Curve.', 'Ed25519'),
  x: say('The key, base64url.', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
  kid: say('Id of the key, which signatures name.', 'k3Zr0Yb1'),
  alg: say('Algorithm.', 'EdDSA'),
  use: say('For signatures.', 'sig'),
});
describeObject('JsonWebKeySet', publicKeys, 'A JSON Web Key Set (RFC 7517).', {
  keys: { description: 'The keys that are valid now.' },
});
