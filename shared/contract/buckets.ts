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
    /** Changes of persons, put there to be applied, and what is told of that. */
    imports: 'imports/',
  },
  // Of another name than the table, for both are given by name.
  exportedJournal: {
    /**
     * What the journal had of an hour that is over, in one object or some, each of some shards of the table:
     * `journal/{year}/{month}/{day}/{hour}-{first shard}-{last shard}-{rows}-{unreadable rows}-{SHA-256}.ndjson.gz`.
     */
    journal: 'journal/',
    /**
     * Who was told of an event: `deliveries/{year}/{month}/{day}/{hour}/{message id}.ndjson.gz`; that an hour is whole:
     * `deliveries/hours/{year}/{month}/{day}/{hour}.json`, and beside that how far a run has come that had no time for all of it.
     */
    deliveries: 'deliveries/',
  },
} as const satisfies Record<string, Readonly<Record<string, `${string}/`>>>;

export type BucketName = keyof typeof buckets;

/** What is made from documents is kept for a while; what carries the tag, for a day only. */
export const renditionLifetimes = {
  days: 30,
  tag: { key: 'lifetime', value: 'day' },
  taggedDays: 1,
  /** In a version that was replaced or deleted. */
  oldDays: 1,
} as const;

/**
 * A body outlives the ledger's row by `moreDays`, for that is kept for so much longer as its last retry waits: 14 days at the most.
 * Each such retry writes it anew, and of what it replaces there is a version for `oldDays`.
 */
export const messageLifetime = { moreDays: 15, oldDays: 1 } as const;

/** An import reads the version with which it began: also one that is replaced meanwhile is there for `oldDays`. */
export const importLifetime = { oldDays: 7 } as const;

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

/** Of what was exported there is one version; where one was written again, the older one goes so many days after its lock. */
export const journalOldDays = 1;

export const bucketNotifications: Readonly<Record<BucketName, readonly BucketNotification[]>> = {
  documents: [
    {
      queue: 'documentEvents',
      prefix: buckets.documents.documents,
      events: ['s3:ObjectCreated:*', 's3:ObjectRemoved:*', 's3:LifecycleExpiration:*'],
    },
    {
      queue: 'imports',
      prefix: buckets.documents.imports,
      suffixes: ['.ndjson', '.csv'],
      events: ['s3:ObjectCreated:*'],
    },
  ],
  exportedJournal: [],
};

/** The queues that S3 sends to. */
export const bucketQueues: readonly QueueName[] = Object.values(bucketNotifications).flatMap((notifications) =>
  notifications.map(({ queue }) => queue),
);
