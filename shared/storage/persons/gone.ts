import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { goneKey, isFreeAt } from './rows.ts';

/** Holds up a transaction where somebody who had this UIN, and was removed or merged with another, is remembered at `now` (epoch seconds). */
export const noneGone = (table: string, uin: string, now: number): TransactWriteItem => ({
  ConditionCheck: { TableName: table, Key: goneKey(uin), ...isFreeAt(now) },
});
