/** The capacity that a request uses on one partition key of a table or index. */
export interface Charge {
  readonly table: string;
  readonly index: string | undefined;
  readonly key: string;
  readonly of: 'reads' | 'writes';
  /** The number of units. A unit writes 1 KB, or reads 4 KB consistently. */
  readonly units: number;
}

export interface Capacity {
  /**
   * Uses the capacity for all charges of a request. If a charge exceeds the capacity, uses no capacity and returns this
   * charge.
   */
  take(charges: readonly Charge[]): Charge | undefined;
}

export const boundless: Capacity = { take: () => undefined };
