import { channelQueues } from '../domain/deliveries/channels.ts';

/** The queues that functions send to. */
export const sentQueues = {
  fanOut: 'publications that become tasks, and recoveries, a step at a time',
  ...channelQueues,
  retry: 'tasks that wait for their next attempt, in hops',
  cleanUp: 'deleted topics whose subscriptions must go',
  documentEvents: 'documents that were put or deleted, which S3 tells of',
  imports: 'files of changes that were put into the bucket, and the rest of those that go on',
  reindexing: 'search indexes that are being filled, a step at a time',
} as const satisfies Record<string, string>;

export type SentQueue = keyof typeof sentQueues;

const { cleanUp: _, documentEvents: __, imports: ___, reindexing: ____, ...ofDeliveries } = sentQueues;

/** The queues of deliveries, which the ledger knows of: before anything is sent again they are looked into. */
export const deliveryQueues = ofDeliveries;
export type DeliveryQueue = keyof typeof deliveryQueues;

/** All queues. Each has a dead-letter queue, which holds only our own faults. */
export const queues = {
  ...sentQueues,
  mailFeedback: 'bounces and complaints that SES tells of',
} as const satisfies Record<string, string>;

export type QueueName = keyof typeof queues;

/** How long a queue keeps a payload that nobody could work on, the time among the dead letters included: the longest that SQS has. */
export const queueDays = 14;

/**
 * A fault of ours is tried this often before the payload is put aside. Lambda counts a batch as received also where it has no copy
 * free to work on it, and so does one that another copy is at: with the 35 s that a queue hides a message, half an hour of that must
 * pass before anything is put aside.
 */
export const maxReceiveCount = 50;
