import type { Mistake } from './mistakes.ts';

const aUuid = 'uuid in the path must be a UUID such as 0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
const noBody = 'this operation reads no body, so its parameters belong in the query';
const aUrl = 'address must be an http or https URL, such as https://receiver.example.org/events';
const aMailbox = 'address must be one mailbox address such as name@example.org, in ASCII before the @';
const aPolicy =
  'policy in the query must be countdown,max such as 3600,168: countdown 1 to 1209600 seconds, max -1 to 100000 retries';
const noRoute = 'no operation has this method and path; paths end without a slash, and /v1/openapi.json lists them';
const subscribe = 'POST /v1/subscriptions?topic={topic}';
const publish = 'POST /v1/topics/{topic}/publish';

/** Mistakes in requests for topics, subscriptions and events. */
export const mistakenNotifications: readonly Mistake[] = [
  [
    'parameters as JSON',
    'POST /v1/topics',
    '{"name":"CR"}',
    400,
    `name is required in the query: ${noBody}, as in ?name=…`,
  ],
  [
    'parameters of a subscription as JSON',
    'POST /v1/subscriptions',
    '{"topic":"CR"}',
    400,
    `topic is required in the query: ${noBody}, as in ?topic=…`,
  ],
  ['no name', 'POST /v1/topics', '', 400, 'name is required in the query'],
  ['a blank name', 'POST /v1/topics?name=', '', 400, 'name in the query must not be blank'],
  [
    'an unknown parameter',
    'POST /v1/topics?topic=CR',
    '',
    400,
    '"topic" is not a query parameter of this operation; it has: name, title',
  ],
  ['a name instead of an ID', 'DELETE /v1/topics/CR', '', 400, aUuid],
  [
    'a UUID that belongs to no topic',
    'DELETE /v1/topics/00000000-0000-4000-8000-000000000000',
    '',
    404,
    'no topic has this uuid; GET /v1/topics lists them',
  ],
  ['no topic', 'POST /v1/subscriptions?address=https://a.example.org/', '', 400, 'topic is required in the query'],
  [
    'an unknown topic',
    'POST /v1/subscriptions?topic=nobody&address=https://a.example.org/',
    '',
    400,
    'no topic has this name or uuid; GET /v1/topics lists them, POST /v1/topics?name= creates one',
  ],
  ['no address', subscribe, '', 400, 'address is required in the query'],
  ['an address without a scheme', `${subscribe}&address=a.example.org`, '', 400, aUrl],
  [
    'a mailbox with the protocol http',
    `${subscribe}&address=clerk@example.org`,
    '',
    400,
    `${aUrl}; for a mailbox use protocol=email`,
  ],
  [
    'a URL with the protocol email',
    `${subscribe}&protocol=email&address=https://a.example.org`,
    '',
    400,
    `${aMailbox}; for a URL use protocol=http`,
  ],
  ['two mailboxes', `${subscribe}&protocol=email&address=a@example.org,b@example.org`, '', 400, aMailbox],
  [
    'a password in a URL',
    `${subscribe}&address=https://me:pw@a.example.org/`,
    '',
    400,
    'address must not contain a user name or password',
  ],
  [
    'a private address',
    `${subscribe}&address=http://10.0.0.1/`,
    '',
    400,
    'address must resolve to public IP addresses only: private, local and reserved addresses are rejected',
  ],
  [
    'https as a protocol',
    `${subscribe}&protocol=https&address=https://a.example.org`,
    '',
    400,
    'protocol in the query must be http or email; http also accepts https addresses',
  ],
  ['a policy as words', `${subscribe}&address=https://a.example.org&policy=hourly`, '', 400, aPolicy],
  ['a policy with three values', `${subscribe}&address=https://a.example.org&policy=1,2,3`, '', 400, aPolicy],
  [
    'a filter that resembles an event type',
    `${subscribe}&address=https://a.example.org&subject=deaths`,
    '',
    400,
    'subject.0 in the query is close to an event type: did you mean death?',
  ],
  ['two tokens', 'GET /v1/subscriptions/confirm?token=aaa&token=bbb', '', 400, 'token in the query must be given once'],
  [
    'an unknown token',
    'GET /v1/subscriptions/confirm?token=aaa',
    '',
    400,
    'token is unknown, altered or expired; subscribe again to receive a new token',
  ],
  [
    'a change to a read-only field',
    'PATCH /v1/subscriptions/00000000-0000-4000-8000-000000000000',
    '{"active":true}',
    400,
    'body may contain only policy and subjects',
  ],
  [
    'a subject that resembles an event type',
    `${publish}?subject=livebirth`,
    '{}',
    400,
    'subject is close to an event type: did you mean liveBirth?',
  ],
  [
    'an event without a source',
    `${publish}?subject=liveBirth`,
    '{"uin":"1"}',
    400,
    'liveBirth: source is missing: it must be text that identifies the source system',
  ],
  [
    'a UIN as a number',
    `${publish}?subject=liveBirth`,
    '{"source":"x","uin":1}',
    400,
    'liveBirth: uin must be a UIN string',
  ],
  [
    'a marriage of one person',
    `${publish}?subject=marriage`,
    '{"source":"x","uin1":"1"}',
    400,
    'marriage: uin2 is missing: it must be a UIN string',
  ],
  ['an event that is not JSON', `${publish}?subject=death`, 'dead', 400, 'death: the body must be a JSON object'],
  ['an event without a body', publish, '', 400, 'the body must not be empty'],
  [
    'an unknown topic for an event',
    'POST /v1/topics/nobody/publish',
    'x',
    400,
    'no topic has this uuid or name; create it with POST /v1/topics?name=',
  ],
  ['a trailing slash', 'GET /v1/topics/', '', 404, noRoute],
  ['a wrong method', 'PUT /v1/topics', '', 404, noRoute],
];
