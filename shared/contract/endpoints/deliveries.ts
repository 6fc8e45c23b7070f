import * as z from 'zod/mini';
import { uuid } from '../../domain/text.ts';
import { delivery, deliveryStates } from '../../model/deliveries/delivery.ts';
import { recovery } from '../../model/deliveries/recovery.ts';
import { sendsTo } from '../capabilities.ts';
import { defineEndpoint } from '../endpoint.ts';
import { nextPage, paging, time, wholeNumber } from '../parameters.ts';
import { json } from '../reply.ts';

export const listDeliveries = defineEndpoint({
  operation: 'listDeliveries',
  area: 'deliveries',
  method: 'GET',
  path: '/v1/subscriptions/{uuid}/deliveries',
  summary: 'Tell what became of the messages for a subscription, the newest first',
  scopes: ['notif.sub.read'],
  request: {
    path: { uuid },
    query: {
      state: z.optional(z.enum(deliveryStates, { error: `must be one of ${deliveryStates.join(', ')}` })),
      messageId: z.optional(uuid),
      limit: z._default(wholeNumber(1, 100), 20),
      cursor: paging.cursor,
    },
  },
  replies: { 200: json(z.array(delivery), { headers: nextPage }) },
  isCostly: true,
  refuses: ['unknownSubscription'],
  uses: ['subscriptions:show', 'ledger:log'],
  reads: ['baseUrl', 'ledgerDays', 'subscriptionOwnership'],
  impact: 'Subscribers cannot see what became of their messages; deliveries are not affected.',
});

export const redeliverMessage = defineEndpoint({
  operation: 'redeliverMessage',
  area: 'deliveries',
  method: 'POST',
  path: '/v1/subscriptions/{uuid}/deliveries/{messageId}/redeliver',
  summary: 'Have a message delivered to a subscription again',
  scopes: ['notif.sub.write'],
  request: { path: { uuid, messageId: uuid } },
  replies: { 202: json(delivery) },
  isCostly: true,
  refuses: ['unknownSubscription', 'unknownMessage', 'notActive', 'beingSentOut', 'askedTooOften'],
  uses: ['subscriptions:show', 'ledger:known', 'ledger:again', 'limits:count', ...sendsTo('later')],
  reads: ['ledgerDays', 'subscriptionOwnership'],
  impact: 'Subscribers cannot have messages delivered again; other deliveries are not affected.',
});

export const recoverSubscription = defineEndpoint({
  operation: 'recoverSubscription',
  area: 'deliveries',
  method: 'POST',
  path: '/v1/subscriptions/{uuid}/recover',
  summary: 'Have everything delivered that a subscription has not got since a time',
  scopes: ['notif.sub.write'],
  request: { path: { uuid }, query: { since: z.optional(time) } },
  replies: { 202: json(recovery) },
  isCostly: true,
  refuses: ['unknownSubscription', 'notActive', 'askedTooOften'],
  uses: ['subscriptions:show', 'ledger:beginRecovery', 'limits:count', 'queues:fanOut'],
  reads: ['ledgerDays', 'subscriptionOwnership'],
  impact: 'Subscribers cannot have delivered what they missed; other deliveries are not affected.',
});
