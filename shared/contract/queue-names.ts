import { channelQueues } from '../domain/deliveries/channels.ts';

export const sentQueues = {
  fanOut: 'published messages to fan out, and recoveries, one step at a time',
  ...channelQueues,
  retry: 'deliveries that wait for their next attempt, in hops',
  cleanUp: 'deleted topics with subscriptions to delete',
  documentEvents: 'S3 events about documents that were written or deleted',
  imports: 'S3 events about files of changes, and the remaining lines of imports in progress',
  reindexing: 'search indexes that are being filled, one step at a time',
} as const satisfies Record<string, string>;

export type SentQueue = keyof typeof sentQueues;

const { cleanUp: _, documentEvents: __, imports: ___, reindexing: ____, ...ofDeliveries } = sentQueues;

/**
 * The queues of deliveries. The deliveries table can restore their messages, so their backlog is checked before
 * anything is sent again.
 */
export const deliveryQueues = ofDeliveries;
export type DeliveryQueue = keyof typeof deliveryQueues;

/** Every queue. Each has a dead-letter queue, which contains only internal errors. */
export const queues = {
  ...sentQueues,
  mailFeedback: 'bounces and complaints from SES',
} as const satisfies Record<string, string>;

export type QueueName = keyof typeof queues;

/** How long a queue keeps a payload, including its time in the dead-letter queue. This is the maximum in SQS. */
export const queueDays = 14;

/**
 * The number of attempts before a payload goes to the dead-letter queue. Lambda also counts batches that it received
 * without a free copy, and those that another copy is processing. With a visibility timeout of 35 s, 50 attempts take
 * half an hour.
 */
export const maxReceiveCount = 50;
