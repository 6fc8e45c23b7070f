import { costOf } from '../../infra/docs/prices.ts';
import type { Bill } from '../simulation/scale/bill.ts';

/** What is billed so far, in dollars. @param functionName of that function alone */
export const dollarsOf = (bill: Bill, functionName?: string): number =>
  bill
    .details()
    .filter(({ by }) => functionName === undefined || by === functionName)
    .reduce((all, { item, count }) => all + costOf(item, count), 0);
