import type { QueueName } from './queues.ts';

/** The buckets and what is under which prefix, read by the CDK constructs and by storage. */
export const buckets = {
  documents: {
    /** Written by the registry's own systems: `documents/{uin}/{doctype}/{secondaryUin or -}/{file name}`. */
    documents: 'documents/',
    /** Conversions, which can always be made again. */
    renditions: 'renditions/',
    /** Bodies of long messages, which expire with the ledger. */
    messages: 'messages/',
  },
} as const satisfies Record<string, Readonly<Record<string, `${string}/`>>>;

export type BucketName = keyof typeof buckets;

/** What is made from documents is kept for a while; what carries the tag, for a day only. */
export const renditionLifetimes = { days: 30, tag: { key: 'lifetime', value: 'day' }, taggedDays: 1 } as const;

/** What S3 tells a queue of, as soon as it has happened: at least once, and in no order. */
export interface BucketNotification {
  readonly queue: QueueName;
  /** What the names of the objects begin with: no two of a bucket may overlap. */
  readonly prefix: string;
  /** What they end in; missing: whatever. */
  readonly suffixes?: readonly string[];
  /** As "Supported event types" in the Amazon S3 User Guide names them. */
  readonly events: readonly `s3:${string}`[];
}

export const bucketNotifications: Readonly<Record<BucketName, readonly BucketNotification[]>> = {
  documents: [
    {
      queue: 'documentEvents',
      prefix: buckets.documents.documents,
      events: ['s3:ObjectCreated:*', 's3:ObjectRemoved:*', 's3:LifecycleExpiration:*'],
    },
  ],
};

/** The queues that S3 sends to. */
export const bucketQueues: readonly QueueName[] = Object.values(bucketNotifications).flatMap((notifications) =>
  notifications.map(({ queue }) => queue),
);
