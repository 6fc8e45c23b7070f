import type { QueueName } from './queue-names.ts';

/** The buckets and the prefixes of their objects. The CDK constructs and the stores read them. */
export const buckets = {
  documents: {
    /** The registry's own systems write here: `documents/{uin}/{doctype}/{secondaryUin or -}/{file name}`. */
    documents: 'documents/',
    /** Converted documents, which can be created again at any time. */
    renditions: 'renditions/',
    /** Bodies of long messages, which expire with their delivery records. */
    messages: 'messages/',
    /** Import files and their reports. */
    imports: 'imports/',
  },
  // Not named `journal`, because functions look up the addresses of tables and buckets by name.
  exportedJournal: {
    /**
     * The journal rows of a past hour. Each object contains the rows from some shards of the table:
     * `journal/{year}/{month}/{day}/{hour}-{first shard}-{last shard}-{rows}-{unreadable rows}-{SHA-256}.ndjson.gz`.
     */
    journal: 'journal/',
    /**
     * The recipients of an event: `deliveries/{year}/{month}/{day}/{hour}/{message id}.ndjson.gz`. An object
     * `deliveries/hours/{year}/{month}/{day}/{hour}.json` marks a complete hour. Other objects in its folder record the
     * progress of an incomplete hour.
     */
    deliveries: 'deliveries/',
  },
} as const satisfies Record<string, Readonly<Record<string, `${string}/`>>>;

export type BucketName = keyof typeof buckets;

/** How long converted documents are kept. Recorded failures have the tag and are kept for one day only. */
export const renditionLifetimes = {
  days: 30,
  tag: { key: 'lifetime', value: 'day' },
  taggedDays: 1,
  /** How long replaced or deleted versions are kept. */
  oldDays: 1,
} as const;

/**
 * How long message bodies are kept. A delivery record is kept until its last retry, which can be 14 days after
 * `deliveryDays`. Late retries write the body again. The replaced version is kept for `oldDays`.
 */
export const messageLifetime = { moreDays: 15, oldDays: 1 } as const;

/** An import reads the version of the file with which it started, so a replaced version is kept for `oldDays`. */
export const importLifetime = { oldDays: 7 } as const;

/** The S3 events that are sent to a queue. S3 sends them immediately, at least once and in any order. */
interface BucketNotification {
  readonly queue: QueueName;
  /** The beginning of the object names. Prefixes in one bucket must not overlap. */
  readonly prefix: string;
  /** The endings of the object names. If undefined, all names match. */
  readonly suffixes?: readonly string[];
  /** Event types as in "Supported event types" in the Amazon S3 User Guide. */
  readonly events: readonly `s3:${string}`[];
}

/** Exports are rarely replaced. A replaced version is deleted this many days later, but not before its lock ends. */
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
