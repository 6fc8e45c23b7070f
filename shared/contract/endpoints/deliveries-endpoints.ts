import * as z from 'zod/mini';
import { delivery, deliveryStates } from '../../domain/deliveries/delivery.ts';
import { recovery } from '../../domain/deliveries/recovery.ts';
import { uuid } from '../../domain/text.ts';
import { sendsTo } from '../capabilities.ts';
import { defineEndpoint } from '../endpoint.ts';
import { nextPage, paging, subscriptionUuid, time, wholeNumber } from '../parameters.ts';
import { json } from '../schemas.ts';

const messageId = '01940b6e-2f7a-7c3e-8a51-6d0f1b2c3d4e';
const publishedAt = '2026-11-20T08:00:00.000Z';
const delivered = {
  messageId,
  subject: 'liveBirth',
  publishedAt,
  state: 'delivered' as const,
  attempts: [{ at: '2026-11-20T08:00:00.412Z', class: 'delivered' as const, status: 200, durationMs: 42 }],
};

const failing = {
  messageId: '01940b71-8c20-7d22-b1c4-2f3a4b5c6d7e',
  subject: 'death',
  publishedAt: '2026-11-20T09:00:00.000Z',
  state: 'waiting' as const,
  attempts: [
    { at: '2026-11-20T09:00:00.388Z', class: 'tls' as const, code: 'CERT_HAS_EXPIRED', durationMs: 31 },
    { at: '2026-11-20T10:00:01.207Z', class: 'http' as const, status: 401, durationMs: 54, response: 'unknown key' },
  ],
  nextAttemptAt: '2026-11-20T11:00:01.261Z',
};

export const listDeliveries = defineEndpoint({
  operation: 'listDeliveries',
  method: 'GET',
  path: '/v1/subscriptions/{uuid}/deliveries',
  summary: 'List the deliveries of a subscription, newest first',
  description:
    'Returns the delivery result of each message that was published after the subscription was first confirmed. ' +
    'The list for an inactive subscription begins with its open confirmation requests. ' +
    'Delivery records are kept for a number of days that each deployment sets.',
  scopes: ['notif.sub.read'],
  request: {
    path: { uuid: subscriptionUuid },
    query: {
      state: {
        schema: z.optional(z.enum(deliveryStates, { error: `must be one of ${deliveryStates.join(', ')}` })),
        description: 'Return only deliveries in the given state.',
        example: 'failed',
      },
      messageId: {
        schema: z.optional(uuid),
        description: 'Return only the delivery of the given message.',
        example: messageId,
      },
      limit: {
        schema: z._default(wholeNumber(1, 100), 20),
        description: 'The maximum number of deliveries on a page.',
        example: 20,
      },
      cursor: paging.cursor,
    },
  },
  replies: {
    200: json(z.array(delivery), {
      description: 'A page of deliveries. A page can contain fewer deliveries than `limit`.',
      example: [failing, delivered],
      headers: nextPage,
    }),
  },
  isCostly: true,
  errors: ['unknownSubscription'],
  uses: ['subscriptions:read', 'deliveries:list'],
  reads: ['baseUrl', 'deliveryDays', 'subscriptionOwnership'],
  impact: 'Subscribers cannot see their deliveries. Deliveries are not affected.',
});

export const redeliverMessage = defineEndpoint({
  operation: 'redeliverMessage',
  method: 'POST',
  path: '/v1/subscriptions/{uuid}/deliveries/{messageId}/redeliver',
  summary: 'Redeliver a message to a subscription',
  description:
    'Repeats a delivery with the same message id and the full retry policy, even if an earlier delivery succeeded. ' +
    'The limit per hour is 60 redeliveries for an http subscription and 10 for an email subscription. To repeat all missed deliveries, use `recover`.',
  scopes: ['notif.sub.write'],
  request: {
    path: {
      uuid: subscriptionUuid,
      messageId: { schema: uuid, description: 'The id of the message.', example: messageId },
    },
  },
  replies: {
    202: json(delivery, {
      description: 'The redelivery is scheduled. The body contains the delivery in its current state.',
      example: { ...delivered, state: 'waiting', attempts: [] },
    }),
  },
  isCostly: true,
  errors: ['unknownSubscription', 'unknownMessage', 'notActive', 'beingSentOut', 'askedTooOften'],
  uses: ['subscriptions:read', 'deliveries:find', 'deliveries:redeliver', 'limits:countInHour', ...sendsTo('later')],
  reads: ['deliveryDays', 'subscriptionOwnership'],
  impact: 'Subscribers cannot request redeliveries. Other deliveries are not affected.',
});

export const recoverSubscription = defineEndpoint({
  operation: 'recoverSubscription',
  method: 'POST',
  path: '/v1/subscriptions/{uuid}/recover',
  summary: 'Deliver all messages that a subscription has missed since a given time',
  description:
    'Delivers all messages that failed, or that were published while the subscription was paused or had a different filter. ' +
    'The messages are delivered in the background. Messages that do not match the current filter are skipped.',
  scopes: ['notif.sub.write'],
  request: {
    path: { uuid: subscriptionUuid },
    query: {
      since: {
        schema: z.optional(time),
        description:
          'Recover only messages that were published since the given time. The default is to recover all stored messages.',
        example: '2026-11-20T08:00:00Z',
      },
    },
  },
  replies: {
    202: json(recovery, {
      description: 'The recovery has started. The body contains the period that the recovery covers.',
      example: { since: publishedAt, until: '2026-11-20T09:00:00.000Z' },
    }),
  },
  isCostly: true,
  errors: ['unknownSubscription', 'notActive', 'askedTooOften'],
  uses: ['subscriptions:read', 'deliveries:startRecovery', 'limits:countInHour', 'queues:fanOut'],
  reads: ['deliveryDays', 'subscriptionOwnership'],
  impact: 'Subscribers cannot recover missed messages. Other deliveries are not affected.',
});
