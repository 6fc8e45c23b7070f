import { costOf } from '../../infra/docs/prices.ts';
import type { Bill } from '../simulation/scale/bill.ts';

/** The dollar cost of all work except API requests. */
export interface WorkCost {
  readonly what: string;
  readonly dollars: number;
}

/**
 * Returns the dollars spent so far.
 * @param functionName counts only this function
 */
export const dollarsOf = (bill: Bill, functionName?: string): number =>
  bill
    .details()
    .filter(({ by }) => functionName === undefined || by === functionName)
    .reduce((all, { item, count }) => all + costOf(item, count), 0);
