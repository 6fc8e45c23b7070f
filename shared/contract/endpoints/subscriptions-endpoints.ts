import * as z from 'zod/mini';
import { messageIdResponse } from '../../domain/deliveries/message.ts';
import { policyParameter } from '../../domain/subscriptions/policy.ts';
import { subscriptionStatus } from '../../domain/subscriptions/show-subscription.ts';
import { subjectParameters } from '../../domain/subscriptions/subjects.ts';
import { deliveryFormats, protocols, subscription } from '../../domain/subscriptions/subscription.ts';
import { subscriptionPatch } from '../../domain/subscriptions/subscription-patch.ts';
import { lineOfText } from '../../domain/text.ts';
import { sendsTo } from '../capabilities.ts';
import { defineEndpoint } from '../endpoint.ts';
import { nextPage, paging, subscriptionUuid } from '../parameters.ts';
import { empty, json } from '../schemas.ts';

// The countdown (1 to 1209600) and the number of retries (-1 to 100000) are optional.
const countdown = '[1-9]\\d{0,5}|1[01]\\d{5}|120[0-8]\\d{3}|1209[0-5]\\d{2}|1209600';
const documentedPolicy = { type: 'string', pattern: `^(${countdown})?(,(-1|\\d{1,5}|100000)?)?$` };

const messageId = '01940b6e-2f7a-7c3e-8a51-6d0f1b2c3d4e';
const example = {
  uuid: '7b1f2c3d-4e5f-8a6b-9c7d-8e9fa0b1c2d3',
  topic: 'CR',
  protocol: 'http' as const,
  address: 'https://receiver.example.org/events',
  policy: '3600,168',
  active: true,
};
const exampleTimes = { createdAt: '2026-11-20T08:00:00.000Z', confirmedAt: '2026-11-20T08:00:00.000Z' };

export const subscribe = defineEndpoint({
  operation: 'subscribe',
  method: 'POST',
  path: '/v1/subscriptions',
  summary: 'Subscribe an address to a topic, and send the address a confirmation request',
  description:
    'Subscribes an address to a topic. The subscription becomes active when the owner of the address confirms it. ' +
    'The same topic, protocol and address always identify the same subscription. ' +
    'The reserved topic `subscription-status` carries events about failing, paused and recovered subscriptions of the client.',
  scopes: ['notif.sub.write'],
  request: {
    query: {
      topic: { schema: lineOfText, description: 'The name or the UUID of the topic.', example: 'CR' },
      protocol: {
        schema: z._default(
          z.enum(protocols, { error: `must be ${protocols.join(' or ')}; http also accepts https addresses` }),
          'http',
        ),
        description: 'How messages reach the address.',
        example: 'http',
      },
      address: {
        schema: z.string(),
        description: 'The destination: an http or https URL on the public Internet, or an email address.',
        example: example.address,
      },
      policy: {
        schema: z.optional(policyParameter),
        description:
          '`countdown,max`: seconds between attempts, and maximum number of retries. ' +
          'The countdown is from 1 to 1209600 seconds. The number of retries is at most 100000, or -1 for no limit.',
        example: example.policy,
        documentedSchema: documentedPolicy,
      },
      subject: {
        schema: z.optional(subjectParameters),
        description: 'A filter: deliver only events with one of the given types or subjects (at most 20).',
        example: ['death', 'liveBirth'],
      },
      deliveryFormat: {
        schema: z.optional(z.enum(deliveryFormats, { error: 'must be raw or envelope' })),
        description:
          'The format of events over http: `raw` (the body as published) or `envelope` (a Message object that contains the body).',
        example: 'raw',
      },
    },
    repeatable: ['subject'],
  },
  replies: {
    200: json(subscription, {
      description: 'The new subscription, which is not active yet, or the existing subscription.',
      example: { ...example, active: false },
    }),
  },
  errors: ['unknownTopicName', 'addressDeclines', 'tooManyConfirmations', 'tooManySubscriptions'],
  uses: [
    'topics:read',
    'topics:create',
    'subscriptions:read',
    'subscriptions:requestConfirmation',
    'limits:enforce',
    'deliveries:openSingle',
    'naming:read',
    ...sendsTo('confirmations'),
  ],
  reads: [
    'allowedNetworks',
    'unconfirmedPerHost',
    'subscriptionsPerHost',
    'confirmationsPerMailbox',
    'confirmationsPerMailboxAndCaller',
    'confirmationsPerCaller',
    'subscriptionOwnership',
  ],
  impact: 'Clients cannot subscribe. Existing subscriptions are not affected.',
});

export const listSubscriptions = defineEndpoint({
  operation: 'listSubscriptions',
  osiaId: 'listSubscription',
  method: 'GET',
  path: '/v1/subscriptions',
  summary: 'List all subscriptions',
  description: 'Returns all subscriptions, or one page of subscriptions if `limit` is given.',
  scopes: ['notif.sub.read'],
  request: { query: paging },
  replies: {
    200: json(z.array(subscription), { description: 'The subscriptions.', example: [example], headers: nextPage }),
  },
  isCostly: true,
  errors: ['answerTooLarge'],
  uses: ['subscriptions:list'],
  reads: ['baseUrl', 'subscriptionOwnership'],
  impact: 'Clients cannot list subscriptions.',
});

export const readSubscription = defineEndpoint({
  operation: 'readSubscription',
  method: 'GET',
  path: '/v1/subscriptions/{uuid}',
  summary: 'Read a subscription and its state',
  description:
    'Returns a subscription with its state and latest results. ' +
    'Until the subscription is confirmed, also returns the attempts to send the confirmation request.',
  scopes: ['notif.sub.read'],
  request: { path: { uuid: subscriptionUuid } },
  replies: {
    200: json(subscriptionStatus, {
      description: 'The subscription and its state.',
      example: { ...example, deliveryFormat: 'raw', state: 'active', ...exampleTimes, waiting: 0 },
    }),
  },
  isCostly: true,
  errors: ['unknownSubscription'],
  uses: ['subscriptions:read', 'deliveries:readStatus', 'deliveries:list'],
  reads: ['deliveryDays', 'deliveryFormat', 'subscriptionOwnership'],
  impact: 'Subscribers cannot see the state of their subscriptions. Deliveries are not affected.',
});

export const changeSubscription = defineEndpoint({
  operation: 'changeSubscription',
  method: 'PATCH',
  path: '/v1/subscriptions/{uuid}',
  summary: 'Change an active subscription',
  description:
    'Changes only the fields in the body (a merge patch, RFC 7396). A new filter applies only to later events.',
  scopes: ['notif.sub.write'],
  request: {
    path: { uuid: subscriptionUuid },
    body: { json: subscriptionPatch, example: { policy: '600,10', subjects: null } },
  },
  replies: {
    200: json(subscription, { description: 'The changed subscription.', example: { ...example, policy: '600,10' } }),
  },
  errors: ['unknownSubscription', 'notActive'],
  uses: ['subscriptions:read', 'subscriptions:change'],
  reads: ['subscriptionOwnership'],
  impact: 'Subscribers cannot change the policy, filter or format of their subscriptions.',
});

export const testSubscription = defineEndpoint({
  operation: 'testSubscription',
  method: 'POST',
  path: '/v1/subscriptions/{uuid}/test',
  summary: 'Send a test event to one subscription',
  description:
    'Sends one signed test event, which only the given subscription receives. The limit is ten test events per hour.',
  scopes: ['notif.sub.write'],
  request: { path: { uuid: subscriptionUuid } },
  replies: { 200: json(messageIdResponse, { description: 'The test event is being sent.', example: { messageId } }) },
  isCostly: true,
  errors: ['unknownSubscription', 'notActive', 'askedTooOften'],
  uses: ['subscriptions:read', 'limits:countInHour', ...sendsTo('later')],
  reads: ['subscriptionOwnership'],
  impact: 'Subscribers cannot test whether events reach them. Events are not affected.',
});

export const unsubscribe = defineEndpoint({
  operation: 'unsubscribe',
  method: 'DELETE',
  path: '/v1/subscriptions/{uuid}',
  summary: 'End a subscription',
  description: 'Deliveries in progress stop.',
  scopes: ['notif.sub.write'],
  request: { path: { uuid: subscriptionUuid } },
  replies: { 204: empty('The subscription has ended.') },
  errors: ['unknownSubscription'],
  uses: ['subscriptions:read', 'subscriptions:remove'],
  reads: ['subscriptionOwnership'],
  impact: 'Subscribers cannot unsubscribe.',
});

// The confirmURL contains the token, so a client that appends `?token=` sends the token twice. Accept identical tokens.
const tokenOnce = z.pipe(
  z.array(z.string()).check(
    z.refine((values) => new Set(values).size === 1, { error: 'must be given once' }),
    z.refine((values) => /^[\w.-]{1,200}$/.test(values[0] ?? ''), {
      error: 'must be the token of a confirmation message',
    }),
  ),
  z.transform((values) => values[0] ?? ''),
);

export const confirmSubscription = defineEndpoint({
  operation: 'confirmSubscription',
  osiaId: 'confirm',
  method: 'GET',
  path: '/v1/subscriptions/confirm',
  summary: 'Confirm a subscription with the token that was sent to its address',
  description:
    'The token proves that the address received the confirmation request. ' +
    'Tokens are valid for 3 days, unless the topic is deleted. ' +
    'A repeated request returns the same response, as long as the subscription belongs to the same client.',
  scopes: ['notif.sub.write'],
  request: {
    query: {
      token: {
        schema: tokenOnce,
        description: 'The token from the confirmation request.',
        example: 'AZIh0aR8G4qcVQ86XSt-YQ.47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
        documentedSchema: { type: 'string', pattern: '^[\\w.-]{1,200}$' },
      },
    },
    repeatable: ['token'],
  },
  replies: { 200: json(subscription, { description: 'The active subscription.', example }) },
  errors: ['invalidToken'],
  uses: ['subscriptions:confirm', 'topics:read', 'limits:releaseSlot'],
  reads: ['subscriptionOwnership'],
  impact: 'New subscribers cannot confirm their subscriptions, so they receive no events.',
});
