/** The capacity that a request uses for one partition key of a table or of an index. */
export interface Charge {
  readonly table: string;
  readonly index: string | undefined;
  readonly key: string;
  readonly of: 'reads' | 'writes';
  /** The number of units. One unit is a write of 1 KB or a consistent read of 4 KB. */
  readonly units: number;
}

export interface Capacity {
  /**
   * Consumes the capacity for all charges of a request. If any charge exceeds the capacity, consumes no capacity and
   * returns that charge.
   */
  take(charges: readonly Charge[]): Charge | undefined;
}

export const boundless: Capacity = { take: () => undefined };
