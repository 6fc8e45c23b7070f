import { costOf } from '../../infra/docs/prices.ts';
import type { Bill } from '../simulation/scale/bill.ts';

/** The cost, in dollars, of work other than API requests. */
export interface WorkCost {
  readonly what: string;
  readonly dollars: number;
}

/**
 * Returns the cost so far, in dollars.
 * @param functionName the function whose cost is returned (default: all functions)
 */
export const dollarsOf = (bill: Bill, functionName?: string): number =>
  bill
    .details()
    .filter(({ by }) => functionName === undefined || by === functionName)
    .reduce((all, { item, count }) => all + costOf(item, count), 0);
