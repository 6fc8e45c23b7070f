/** Keys and indexes, read by the CDK constructs and by storage. Every key attribute is a string. */
export interface TableIndex {
  readonly partition: string;
  readonly sort?: string;
  /** Attributes copied into the index beside the keys; none means keys only. */
  readonly includes?: readonly string[];
}

export interface Table {
  readonly partition: string;
  readonly sort?: string;
  /** The attribute (epoch seconds) after which DynamoDB removes the row. */
  readonly expiresAt?: string;
  readonly indexes?: Readonly<Record<string, TableIndex>>;
}

export const tables = {
  // `id` is `person#<UIN>` or `mint#<hash>`, so that no UIN given in a path can reach the record of a mint.
  persons: { partition: 'id', expiresAt: 'expiresAt' },
  topics: { partition: 'uuid' },
  subscriptions: {
    partition: 'uuid',
    indexes: {
      // Sparse: rows carry `activeTopic` only while active, so that fan-out reads nobody else.
      activeByTopic: { partition: 'activeTopic', sort: 'uuid', includes: ['protocol'] },
      byTopic: { partition: 'topicLife', sort: 'uuid' },
    },
  },
  deliveries: { partition: 'messageId', sort: 'taskKey', expiresAt: 'expiresAt' },
} as const satisfies Record<string, Table>;

export type TableName = keyof typeof tables;
