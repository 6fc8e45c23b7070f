import { channelQueues } from '../domain/deliveries/channels.ts';

/**
 * The queues for deliveries. The sweeper restores lost messages from the `deliveries` table. The sweeper first checks
 * the backlog of the queues, because waiting messages are not lost.
 */
export const deliveryQueues = {
  fanOut: 'published messages to fan out, steps of recoveries, and visits to parked messages',
  ...channelQueues,
  retry: 'deliveries that wait for their next attempt; long waits take several hops',
} as const satisfies Record<string, string>;

export type DeliveryQueue = keyof typeof deliveryQueues;

/** The queues to which our functions send messages. */
export const sentQueues = {
  ...deliveryQueues,
  cleanUp: 'deleted topics whose subscriptions must be deleted',
  documentEvents: 'S3 events about documents that were written or deleted',
  imports: 'S3 events about import files, and the remaining lines of imports in progress',
  reindexing: 'the steps that fill search indexes',
} as const satisfies Record<string, string>;

export type SentQueue = keyof typeof sentQueues;

/** All queues. Each queue has a dead-letter queue for messages that failed because of internal errors. */
export const queues = {
  ...sentQueues,
  mailFeedback: 'bounces and complaints from SES',
} as const satisfies Record<string, string>;

export type QueueName = keyof typeof queues;

/**
 * The number of days for which SQS keeps a message, including its time in the dead-letter queue. The maximum that SQS
 * allows is 14 days.
 */
export const queueDays = 14;

/**
 * The number of attempts before a message moves to the dead-letter queue. SQS also counts an attempt if no instance of
 * the function is free, or if another instance is processing the message. With a visibility timeout of 35 s, 50
 * attempts take half an hour.
 */
export const maxReceiveCount = 50;
