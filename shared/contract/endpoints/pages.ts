import * as z from 'zod/mini';
import { defineEndpoint } from '../endpoint.ts';
import { pageReads } from '../letterhead-settings.ts';
import { page } from '../reply.ts';

// What is wrong with the token itself is the page's to say, in words for people.
const token = z.string().check(z.maxLength(400, { error: 'is not the token of a link that we sent' }));

/** Pages for whoever holds a mail of ours: GET only shows (mail scanners press links), POST acts. */
const common = {
  area: 'pages',
  scopes: [],
  request: { query: { token }, headers: { 'accept-language': z.optional(z.string()) } },
  replies: { 200: page() },
  refuses: ['invalidToken'],
} as const;

export const showConfirmation = defineEndpoint({
  ...common,
  operation: 'showConfirmation',
  method: 'GET',
  path: '/v1/confirm',
  summary: 'Page that asks to confirm a subscription; it changes nothing',
  uses: ['subscriptions:show', 'naming:read'],
  reads: pageReads,
  impact: 'Subscribers by e-mail cannot open the page on which they confirm.',
});

export const confirmByPage = defineEndpoint({
  ...common,
  operation: 'confirmByPage',
  method: 'POST',
  path: '/v1/confirm',
  summary: 'Confirm a subscription from its page',
  uses: ['subscriptions:show', 'subscriptions:confirm', 'limits:free'],
  reads: pageReads,
  impact: 'Subscribers by e-mail cannot confirm, so they receive nothing yet.',
});

export const showUnsubscribe = defineEndpoint({
  ...common,
  operation: 'showUnsubscribe',
  method: 'GET',
  path: '/v1/unsubscribe',
  summary: 'Page that asks whether to end a subscription; it changes nothing',
  uses: ['subscriptions:show', 'signing:read'],
  reads: pageReads,
  impact: 'Subscribers by e-mail cannot open the page on which they leave.',
});

export const unsubscribeByPage = defineEndpoint({
  ...common,
  operation: 'unsubscribeByPage',
  method: 'POST',
  path: '/v1/unsubscribe',
  summary: 'End a subscription from its page, or by the one click of a mail program (RFC 8058)',
  uses: ['subscriptions:leave', 'signing:read'],
  reads: pageReads,
  impact: 'Subscribers by e-mail cannot leave; their mail programs may report us as spam.',
});

export const showNeverAsk = defineEndpoint({
  ...common,
  operation: 'showNeverAsk',
  method: 'GET',
  path: '/v1/never-ask',
  summary: 'Page that asks whether a mailbox shall never be asked to confirm again; it changes nothing',
  uses: ['naming:read'],
  reads: pageReads,
  impact: 'Who is asked to confirm cannot open the page on which they say: never again.',
});

export const neverAskByPage = defineEndpoint({
  ...common,
  operation: 'neverAskByPage',
  method: 'POST',
  path: '/v1/never-ask',
  summary: 'Never ask a mailbox to confirm again, from its page',
  uses: ['limits:decline', 'naming:read'],
  reads: pageReads,
  impact: 'Who is asked to confirm cannot say: never again.',
});
