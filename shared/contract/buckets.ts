import type { QueueName } from './queue-names.ts';

/** The buckets and the prefixes of their objects, as used by CDK constructs and stores. */
export const buckets = {
  documents: {
    /** Documents written by the registry's own systems: `documents/{uin}/{doctype}/{secondaryUin or -}/{file name}`. */
    documents: 'documents/',
    /** Converted documents, which can be created again at any time. */
    renditions: 'renditions/',
    /** The bodies of long messages. Each body expires with the delivery records of its message. */
    messages: 'messages/',
    /** Import files and their reports. */
    imports: 'imports/',
  },
  // The bucket for exports is not named `journal`, because a table has this name and functions look up resources by
  // name.
  exportedJournal: {
    /**
     * The exported journal rows of one hour. Each object contains the rows from a range of the table's shards:
     * `journal/{year}/{month}/{day}/{hour}-{first shard}-{last shard}-{rows}-{unreadable rows}-{SHA-256}.ndjson.gz`.
     */
    journal: 'journal/',
    /**
     * The recipients of one event: `deliveries/{year}/{month}/{day}/{hour}/{message id}.ndjson.gz`. An object
     * `deliveries/hours/{year}/{month}/{day}/{hour}.json` shows that the export of an hour is complete. The objects of
     * unfinished hours, also under `deliveries/hours/`, record the progress of the export.
     */
    deliveries: 'deliveries/',
  },
} as const satisfies Record<string, Readonly<Record<string, `${string}/`>>>;

export type BucketName = keyof typeof buckets;

/**
 * The number of days for which converted documents are kept. Tagged objects record failed conversions and are kept for
 * only one day.
 */
export const renditionLifetimes = {
  days: 30,
  tag: { key: 'lifetime', value: 'day' },
  taggedDays: 1,
  /** The number of days for which replaced or deleted object versions are kept. */
  oldDays: 1,
} as const;

/**
 * The lifetime of message bodies. Bodies are kept longer than `deliveryDays`, because the last retry can be due up to
 * 14 days later. A late retry stores the message body again.
 */
export const messageLifetime = { moreDays: 15, oldDays: 1 } as const;

/** A running import keeps reading the file version that it started with, so old versions are kept for `oldDays`. */
export const importLifetime = { oldDays: 7 } as const;

/**
 * Specifies which S3 events a queue receives. S3 sends each event immediately and at least once, but not necessarily in
 * order.
 */
interface BucketNotification {
  readonly queue: QueueName;
  /** The prefix of the object names. Prefixes in one bucket must not overlap. */
  readonly prefix: string;
  /** The suffixes of the object names. If undefined, all names match. */
  readonly suffixes?: readonly string[];
  /** Event types, as listed under "Supported event types" in the Amazon S3 User Guide. */
  readonly events: readonly `s3:${string}`[];
}

/** The number of days after which replaced versions of exports are deleted, unless the versions are still locked. */
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

/** The queues that receive events from S3. */
export const bucketQueues: readonly QueueName[] = Object.values(bucketNotifications).flatMap((notifications) =>
  notifications.map(({ queue }) => queue),
);
