import { costOf } from '../../infra/docs/prices.ts';
import type { Bill } from '../simulation/scale/bill.ts';

/** Work other than requests, and its cost in dollars. */
export interface WorkCost {
  readonly what: string;
  readonly dollars: number;
}

/**
 * Returns the bill so far in dollars.
 * @param functionName counts this function only
 */
export const dollarsOf = (bill: Bill, functionName?: string): number =>
  bill
    .details()
    .filter(({ by }) => functionName === undefined || by === functionName)
    .reduce((all, { item, count }) => all + costOf(item, count), 0);
