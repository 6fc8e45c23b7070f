import { keyAttribute, type PersonIndex } from '../domain/persons/person-index.ts';
import { journalFields } from '../model/journal/journal-fields.ts';

/** Keys and indexes, read by the CDK constructs and by storage. Every key attribute is a string. */
interface TableIndex {
  readonly partition: string;
  readonly sort?: string;
  /** Attributes copied into the index beside the keys; none means keys only. */
  readonly includes?: readonly string[];
  /** An event is written to it once, however many subscribers it has: it is not warmed. */
  readonly isOncePerEvent?: true;
}

export interface Table {
  readonly partition: string;
  readonly sort?: string;
  /** The attribute (epoch seconds) after which DynamoDB removes the row. */
  readonly expiresAt?: string;
  /** An event to many subscribers reads and writes it: the setting `warmWritesPerSecond` is about it and its indexes. */
  readonly isWarmed?: true;
  readonly indexes?: Readonly<Record<string, TableIndex>>;
}

/**
 * The indexes over persons, from the most to the least selective; a search takes the first that fits. Partitions are
 * attributes of many values only: gender, status or a place alone would put a whole registry into a few partitions.
 * A new one is a line with `added`: it is searched once `reindexPersons` has filled it.
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

// Filtering needs the folded values; the UIN is in the table's own key, which every index has.
const personSearch = Object.fromEntries(
  Object.entries(personIndexes).map(([name, { partition, sort }]) => [
    name,
    { partition: keyAttribute(partition, 'Key'), sort: keyAttribute(sort, 'Sort'), includes: ['folded'] },
  ]),
) as unknown as Readonly<Record<PersonIndexName, TableIndex>>;

export const tables = {
  // `id` is `person#<UIN>`, or of a row of another kind, so that no UIN given in a path can reach that: `mint#<hash>`,
  // `change#<hash>`, `gone#<UIN>`, `import#<SHA-256>` and `import#turn`, `indexes`.
  persons: { partition: 'id', expiresAt: 'expiresAt', indexes: personSearch },
  topics: { partition: 'uuid' },
  subscriptions: {
    partition: 'uuid',
    isWarmed: true,
    // Only rows that were never confirmed carry it.
    expiresAt: 'expiresAt',
    indexes: {
      // Sparse: rows carry `activeTopic` only while active, so that fan-out reads nobody else.
      activeByTopic: { partition: 'activeTopic', sort: 'uuid', includes: ['protocol', 'activeSince', 'subjects'] },
      byTopic: { partition: 'topicUuid', sort: 'topicGeneration' },
    },
  },
  // Where a document of two people lies that is stored under the other one: `place` is that one's UIN and the type.
  documentLinks: { partition: 'secondaryUin', sort: 'place' },
  // How often something was had: slots that are held, counters of an hour; and who never wants to be asked.
  limits: { partition: 'id', sort: 'slot', expiresAt: 'expiresAt' },
  deliveries: {
    // The id of the message and a slice of its buckets: `<message id>#a`.
    partition: 'messageSlice',
    sort: 'taskKey',
    expiresAt: 'expiresAt',
    isWarmed: true,
    indexes: {
      // Sparse: what is pending or failed for a subscription; its standing is `waiting#<message id>`, or `failed#` and that.
      bySubscription: {
        partition: 'owner',
        sort: 'standing',
        includes: [
          ...['messageId', 'state', 'attempt', 'base', 'protocol', 'outcome', 'notBefore', 'isStuck'],
          ...['isConfirmation', 'leaseUntil'],
        ],
      },
      // Sparse: only a message's own row has these. What it says is read from the table: more in here would be written twice.
      byTopic: { partition: 'generation', sort: 'timestamp', isOncePerEvent: true },
      // Sparse: what the sweeper must look at when its time has come, and what has failed for good, by time.
      bySweep: {
        partition: 'sweepShard',
        sort: 'sweepAt',
        includes: [
          ...['messageId', 'state', 'attempt', 'base', 'protocol', 'owner', 'isConfirmation'],
          ...['resumes', 'isPutOff', 'leftOut', 'isStuck'],
        ],
      },
    },
  },
  // Who asked for what of whom: rows are put, and never changed. Its keys are cut into shards: of a day, a person and a caller.
  journal: {
    partition: 'dayShard',
    sort: 'moment',
    expiresAt: 'expiresAt',
    indexes: {
      // Sparse: a search that answered nobody is about nobody.
      byUin: { partition: 'uinShard', sort: 'moment', includes: journalFields },
      byCaller: { partition: 'callerShard', sort: 'moment', includes: journalFields },
    },
  },
} as const satisfies Record<string, Table>;

export type TableName = keyof typeof tables;

/** The indexes of a table, by name. */
export type IndexName<T extends TableName> = (typeof tables)[T] extends { readonly indexes: infer I }
  ? keyof I & string
  : never;
