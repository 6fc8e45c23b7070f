import { channelQueues } from '../domain/deliveries/channels.ts';

export const sentQueues = {
  fanOut: 'published messages to fan out, and recoveries, each as a series of steps',
  ...channelQueues,
  retry: 'deliveries that wait for their next attempt; long waits take several hops',
  cleanUp: 'deleted topics whose subscriptions must be deleted',
  documentEvents: 'S3 events about documents that were written or deleted',
  imports: 'S3 events about import files, and the remaining lines of imports in progress',
  reindexing: 'search indexes that are being filled, as a series of steps',
} as const satisfies Record<string, string>;

export type SentQueue = keyof typeof sentQueues;

const { cleanUp: _, documentEvents: __, imports: ___, reindexing: ____, ...ofDeliveries } = sentQueues;

/**
 * The queues for deliveries. The sweeper can restore lost messages from the table `deliveries`, but first checks the
 * backlog of the queues, because waiting messages are not lost.
 */
export const deliveryQueues = ofDeliveries;
export type DeliveryQueue = keyof typeof deliveryQueues;

/** Every queue. Each has a dead-letter queue, which contains only messages that failed because of internal errors. */
export const queues = {
  ...sentQueues,
  mailFeedback: 'bounces and complaints from SES',
} as const satisfies Record<string, string>;

export type QueueName = keyof typeof queues;

/** How long a queue keeps a payload, including its time in the dead-letter queue. This is the maximum in SQS. */
export const queueDays = 14;

/**
 * The number of attempts before a payload goes to the dead-letter queue. A batch also counts as an attempt if no copy
 * of the function was free, or if another copy is processing it. With a visibility timeout of 35 s, 50 attempts take
 * half an hour.
 */
export const maxReceiveCount = 50;
