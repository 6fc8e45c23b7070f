/** What a request takes from one partition key of a table, or of an index. */
export interface Charge {
  readonly table: string;
  readonly index: string | undefined;
  /** The value of the partition key. */
  readonly key: string;
  readonly of: 'reads' | 'writes';
  /** In DynamoDB's units: 1 KB written, 4 KB read consistently. */
  readonly units: number;
}

/** What the tables give. */
export interface Capacity {
  /** Takes all of a request's charges, or none: answers the one that there is no room for. */
  take(charges: readonly Charge[]): Charge | undefined;
}

/** Room for everything. */
export const boundless: Capacity = { take: () => undefined };
