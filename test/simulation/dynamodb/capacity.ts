/** The capacity that a request uses for one partition key of a table or index. */
export interface Charge {
  readonly table: string;
  readonly index: string | undefined;
  readonly key: string;
  readonly of: 'reads' | 'writes';
  /** In DynamoDB's units: 1 KB written, or 4 KB read consistently. */
  readonly units: number;
}

export interface Capacity {
  /** Uses all charges of a request or none. Returns the charge that exceeds the capacity. */
  take(charges: readonly Charge[]): Charge | undefined;
}

export const boundless: Capacity = { take: () => undefined };
