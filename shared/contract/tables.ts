import { journalFields } from '../domain/journal/journal-row.ts';
import { keyAttribute, type PersonIndex } from '../domain/persons/person-index.ts';

/** An index of a table, as declared for CDK constructs and stores. Every key attribute is a string. */
interface TableIndex {
  readonly partition: string;
  readonly sort?: string;
  /** Attributes that the index projects in addition to the keys. */
  readonly includes?: readonly string[];
  /** Whether an event causes at most one write to the index. If true, the index needs no warm throughput. */
  readonly isSeldomWritten?: true;
}

export interface Table {
  readonly partition: string;
  readonly sort?: string;
  /** The attribute that contains the time (epoch seconds) after which DynamoDB deletes the row. */
  readonly expiresAt?: string;
  /**
   * Whether events with many subscribers, or searches with many matches, cause many writes to the table at once. If
   * true, `warmWritesPerSecond` applies to the table and its indexes.
   */
  readonly isWarmed?: true;
  readonly indexes?: Readonly<Record<string, TableIndex>>;
}

/**
 * The indexes for searches, most selective first. A search uses the first index that matches its attributes. Partition
 * keys need many distinct values: gender, status or place alone would put the whole registry into a few partitions. A
 * new index has the `added` field. Searches use a new index only after the reindexPersons job has filled it.
 */
export const personIndexes = {
  byBirth: { partition: 'dateOfBirth', sort: 'lastName' },
  byBirthPlace: { partition: 'dateOfBirth', sort: 'placeOfBirth' },
  byDeath: { partition: 'dateOfDeath', sort: 'placeOfDeath' },
  bySpouse: { partition: 'spouseName', sort: 'lastName' },
  byFirstName: { partition: 'firstName', sort: 'dateOfBirth' },
  byName: { partition: 'lastName', sort: 'firstName' },
} as const satisfies Record<string, PersonIndex>;

export type PersonIndexName = keyof typeof personIndexes;

// Filters need the folded values. The UIN is in the table key, which every index includes.
const personSearch = Object.fromEntries(
  Object.entries(personIndexes).map(([name, { partition, sort }]) => [
    name,
    { partition: keyAttribute(partition, 'Key'), sort: keyAttribute(sort, 'Sort'), includes: ['folded'] },
  ]),
) as unknown as Readonly<Record<PersonIndexName, TableIndex>>;

export const tables = {
  // The `id` of a person is `person#<UIN>`. The ids of all other rows have different prefixes, so that a UIN in a path
  // cannot address one of these rows. The prefixes are `mint#<hash>`, `change#<hash>`, `former#<UIN>`,
  // `retired#<hash>`, `import#<SHA-256>`, `import#turn` and `indexes`.
  persons: { partition: 'id', expiresAt: 'expiresAt', indexes: personSearch },
  topics: { partition: 'uuid' },
  subscriptions: {
    partition: 'uuid',
    isWarmed: true,
    // Only unconfirmed rows have the `expiresAt` attribute.
    expiresAt: 'expiresAt',
    indexes: {
      // The index for fan-outs is sparse: only active rows have the `activeTopic` attribute, so a fan-out reads no
      // inactive rows.
      activeByTopic: { partition: 'activeTopic', sort: 'uuid', includes: ['protocol', 'activeSince', 'subjects'] },
      byTopic: { partition: 'topicUuid', sort: 'topicGeneration' },
      // The `byCallerHost` index counts a caller's subscriptions at a host. Deleted and expired rows disappear from an
      // index automatically.
      byCallerHost: { partition: 'callerHost', isSeldomWritten: true },
    },
  },
  // The `documentLinks` table lists documents about two people by the second person's UIN. The sort key contains the
  // first person's UIN and the document type.
  documentLinks: { partition: 'secondaryUin', sort: 'place' },
  // The `limits` table contains occupied limit slots, hourly counters, and mailboxes whose owners stopped confirmation
  // requests.
  limits: { partition: 'id', sort: 'slot', expiresAt: 'expiresAt' },
  deliveries: {
    // The message id and a row shard, such as `<message id>#a`.
    partition: 'messageShard',
    sort: 'taskKey',
    expiresAt: 'expiresAt',
    isWarmed: true,
    indexes: {
      // The sparse index `bySubscription` lists waiting and failed deliveries. The keys are `waiting#<publication
      // time>#<message id>` and `failed#<failure time>#<message id>`.
      bySubscription: {
        partition: 'owner',
        sort: 'statusKey',
        includes: [
          ...['messageId', 'state', 'attempt', 'base', 'protocol', 'outcome', 'notBefore', 'isStuck'],
          ...['isConfirmation', 'leaseUntil'],
        ],
      },
      // The `byTopic` index is sparse, because only message rows have the key attributes. The index omits all other
      // fields, because DynamoDB would otherwise write each field twice.
      byTopic: { partition: 'generation', sort: 'timestamp', isSeldomWritten: true },
      // The sparse index `bySweep` lists failed deliveries and the rows that the sweeper must check, by time.
      bySweep: {
        partition: 'sweepShard',
        sort: 'sweepAt',
        includes: [
          ...['messageId', 'state', 'attempt', 'base', 'protocol', 'owner', 'isConfirmation'],
          ...['resumes', 'wasPostponed', 'skippedProtocols', 'isStuck', 'failingSince'],
        ],
      },
    },
  },
  // The access journal records who requested which data about which person. Rows never change. Every partition key is
  // sharded.
  journal: {
    partition: 'dayShard',
    sort: 'moment',
    isWarmed: true,
    expiresAt: 'expiresAt',
    indexes: {
      // The `byUin` index is sparse, because the row of a search without matches contains no UIN.
      byUin: { partition: 'uinShard', sort: 'moment', includes: journalFields },
      byCaller: { partition: 'callerShard', sort: 'moment', includes: journalFields },
    },
  },
} as const satisfies Record<string, Table>;

export type TableName = keyof typeof tables;

export type IndexName<T extends TableName> = (typeof tables)[T] extends { readonly indexes: infer I }
  ? keyof I & string
  : never;
