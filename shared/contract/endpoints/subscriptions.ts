import * as z from 'zod/mini';
import { policyParameter } from '../../domain/subscriptions/policy.ts';
import { subjectParameters } from '../../domain/subscriptions/subjects.ts';
import { protocols, subscription } from '../../domain/subscriptions/subscription.ts';
import { lineOfText, uuid } from '../../domain/text.ts';
import { messageIdAnswer } from '../../model/deliveries/message-id.ts';
import { subscriptionStatus } from '../../model/subscriptions/status.ts';
import { subscriptionPatch } from '../../model/subscriptions/subscription-patch.ts';
import { sendsTo } from '../capabilities.ts';
import { defineEndpoint } from '../endpoint.ts';
import { nextPage, paging } from '../parameters.ts';
import { empty, json } from '../reply.ts';

export const subscribe = defineEndpoint({
  operation: 'subscribe',
  area: 'subscriptions',
  method: 'POST',
  path: '/v1/subscriptions',
  summary: 'Subscribe an address to a topic; the address is asked to confirm',
  scopes: ['notif.sub.write'],
  request: {
    query: {
      topic: lineOfText,
      protocol: z._default(
        z.enum(protocols, { error: `must be ${protocols.join(' or ')}; http takes https addresses, too` }),
        'http',
      ),
      address: z.string(),
      policy: z.optional(policyParameter),
      subject: z.optional(subjectParameters),
    },
    repeatable: ['subject'],
  },
  replies: { 200: json(subscription) },
  refuses: ['unknownTopicName', 'addressDeclines', 'tooManyConfirmations'],
  uses: [
    'topics:read',
    'subscriptions:show',
    'subscriptions:ask',
    'limits:take',
    'ledger:ask',
    'naming:read',
    ...sendsTo('confirmations'),
  ],
  reads: [
    'allowedNetworks',
    'unconfirmedPerHost',
    'confirmationsPerMailbox',
    'confirmationsPerCaller',
    'subscriptionOwnership',
  ],
  impact: 'Nobody can subscribe; present subscribers are not affected.',
});

export const listSubscriptions = defineEndpoint({
  operation: 'listSubscriptions',
  area: 'subscriptions',
  method: 'GET',
  path: '/v1/subscriptions',
  summary: 'List all subscriptions',
  scopes: ['notif.sub.read'],
  request: { query: paging },
  replies: { 200: json(z.array(subscription), { headers: nextPage }) },
  isCostly: true,
  refuses: ['answerTooLarge'],
  uses: ['subscriptions:read'],
  reads: ['baseUrl', 'subscriptionOwnership'],
  impact: 'Nobody can see which subscriptions there are.',
});

export const readSubscription = defineEndpoint({
  operation: 'readSubscription',
  area: 'subscriptions',
  method: 'GET',
  path: '/v1/subscriptions/{uuid}',
  summary: 'Tell how a subscription stands',
  scopes: ['notif.sub.read'],
  request: { path: { uuid } },
  replies: { 200: json(subscriptionStatus) },
  isCostly: true,
  refuses: ['unknownSubscription'],
  uses: ['subscriptions:show', 'ledger:show', 'ledger:log'],
  reads: ['ledgerDays', 'subscriptionOwnership'],
  impact: 'Subscribers cannot see how their subscriptions stand; deliveries are not affected.',
});

export const changeSubscription = defineEndpoint({
  operation: 'changeSubscription',
  area: 'subscriptions',
  method: 'PATCH',
  path: '/v1/subscriptions/{uuid}',
  summary: 'Change the policy or the filter of an active subscription, by a merge patch (RFC 7396)',
  scopes: ['notif.sub.write'],
  request: { path: { uuid }, body: { json: subscriptionPatch } },
  replies: { 200: json(subscription) },
  refuses: ['unknownSubscription', 'notActive'],
  uses: ['subscriptions:show', 'subscriptions:change'],
  reads: ['subscriptionOwnership'],
  impact: 'Subscribers cannot change how and what they receive.',
});

export const testSubscription = defineEndpoint({
  operation: 'testSubscription',
  area: 'subscriptions',
  method: 'POST',
  path: '/v1/subscriptions/{uuid}/test',
  summary: 'Send a test event to this subscription alone',
  scopes: ['notif.sub.write'],
  request: { path: { uuid } },
  replies: { 200: json(messageIdAnswer) },
  isCostly: true,
  refuses: ['unknownSubscription', 'notActive', 'askedTooOften'],
  uses: ['subscriptions:show', 'limits:count', ...sendsTo('later')],
  reads: ['subscriptionOwnership'],
  impact: 'Subscribers cannot try whether events reach them; events are not affected.',
});

export const unsubscribe = defineEndpoint({
  operation: 'unsubscribe',
  area: 'subscriptions',
  method: 'DELETE',
  path: '/v1/subscriptions/{uuid}',
  summary: 'Remove a subscription; nothing more is delivered to it',
  scopes: ['notif.sub.write'],
  request: { path: { uuid } },
  replies: { 204: empty() },
  refuses: ['unknownSubscription'],
  uses: ['subscriptions:show', 'subscriptions:end'],
  reads: ['subscriptionOwnership'],
  impact: 'Subscribers cannot leave.',
});

// A client that adds `?token=` to a URL that already has it sends the token twice: the same value is one token.
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
  area: 'subscriptions',
  method: 'GET',
  path: '/v1/subscriptions/confirm',
  summary: 'Confirm a subscription with the token that its address received',
  scopes: ['notif.sub.write'],
  request: { query: { token: tokenOnce }, repeatable: ['token'] },
  replies: { 200: json(subscription) },
  refuses: ['invalidToken'],
  uses: ['subscriptions:confirm', 'limits:free'],
  reads: ['subscriptionOwnership'],
  impact: 'New subscribers cannot confirm, so they receive nothing yet.',
});
