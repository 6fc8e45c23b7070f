import * as z from 'zod/mini';
import { defineEndpoint } from '../endpoint.ts';
import { pageReads } from '../letterhead-settings.ts';
import { page } from '../schemas.ts';

/**
 * Pages for recipients of our emails. GET requests change nothing, because mail scanners follow links. Only POST
 * requests change data.
 */
const common = {
  scopes: [],
  request: {
    query: {
      token: {
        // The schema checks only the length, because the page itself explains invalid tokens in the reader's language.
        schema: z.string().check(z.maxLength(400, { error: 'is not a token from a link that we sent' })),
        description: 'The token from the link in an email.',
        example: 'AZIh0aR8G4qcVQ86XSt-YQ.h7Zk3n5q',
      },
    },
    headers: {
      'accept-language': {
        schema: z.optional(z.string()),
        description:
          'The languages that the reader prefers (RFC 9110 section 12.5.4). The page uses the best available language.',
        example: 'fr-CA, fr;q=0.9, en;q=0.5',
      },
    },
  },
  errors: ['invalidToken'],
  reads: pageReads,
} as const;

const shown = {
  ...common,
  method: 'GET',
  description: 'People open this page from a link in an email. The page shows a button.',
  replies: { 200: page('The page.') },
} as const;

const pressed = {
  ...common,
  method: 'POST',
  description: 'The button on the page calls this operation.',
  replies: { 200: page('A page that confirms the change.') },
} as const;

export const showConfirmation = defineEndpoint({
  ...shown,
  operation: 'showConfirmation',
  path: '/v1/confirm',
  summary: 'Show the page on which a subscriber confirms a subscription',
  uses: ['subscriptions:read', 'naming:read'],
  impact: 'Email subscribers cannot open the confirmation page.',
});

export const confirmByPage = defineEndpoint({
  ...pressed,
  operation: 'confirmByPage',
  path: '/v1/confirm',
  summary: 'Confirm a subscription from the confirmation page',
  uses: ['subscriptions:read', 'subscriptions:confirm', 'topics:read', 'limits:releaseSlot'],
  impact: 'New email subscribers cannot confirm their subscriptions, so they receive no events.',
});

export const showUnsubscribe = defineEndpoint({
  ...shown,
  operation: 'showUnsubscribe',
  path: '/v1/unsubscribe',
  summary: 'Show the page on which a subscriber ends a subscription',
  uses: ['subscriptions:read', 'signing:read'],
  impact: 'Email subscribers cannot open the unsubscribe page.',
});

export const unsubscribeByPage = defineEndpoint({
  ...pressed,
  operation: 'unsubscribeByPage',
  path: '/v1/unsubscribe',
  summary:
    'End a subscription from the unsubscribe page, or with the one-click unsubscribe button of a mail program (RFC 8058)',
  description: 'The button on the page and the one-click unsubscribe button of mail programs call this operation.',
  uses: ['subscriptions:removeByLink', 'signing:read'],
  impact: 'Email subscribers cannot unsubscribe, and they may report our emails as spam.',
});

export const showStopRequests = defineEndpoint({
  ...shown,
  operation: 'showStopRequests',
  path: '/v1/never-ask',
  summary: 'Show the page on which the owner of a mailbox stops all confirmation requests',
  uses: ['naming:read'],
  impact: 'Recipients of confirmation requests cannot open the page that stops further requests.',
});

export const stopRequestsByPage = defineEndpoint({
  ...pressed,
  operation: 'stopRequestsByPage',
  path: '/v1/never-ask',
  summary: 'Stop all confirmation requests to a mailbox',
  uses: ['limits:declineRequests', 'naming:read'],
  impact: 'Recipients of confirmation requests cannot stop further requests.',
});
