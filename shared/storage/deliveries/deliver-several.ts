import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { fromItem } from '../dynamo.ts';
import { transact } from '../transact.ts';
import { update, updateOf } from '../update.ts';
import { toKept } from './kept-outcomes.ts';
import { isOurs, type Lease, type LedgerTask } from './lease.ts';
import { type Outcomes, openRows } from './outcomes.ts';
import { taskRow } from './row-schemas.ts';
import { rowKey } from './rows.ts';

/** `busy`: another copy works on it now. `done`: it was recorded, with these outcomes, and what follows may be done. */
type Claim =
  | { readonly is: 'claimed' }
  | { readonly is: 'busy' }
  | { readonly is: 'done'; readonly outcomes: Outcomes; readonly isFollowed: boolean };

export const deliverSeveral = (client: DynamoDBClient, table: string) => ({
  /** Claims a task for several: granted when nobody has, or when whoever did let the lease run out. */
  async claim(task: LedgerTask, lease: Lease): Promise<Claim> {
    const claim = await update(client, table, rowKey(task), {
      set: { state: 'claimed', leaseId: lease.id, leaseUntil: lease.leaseUntil, expiresAt: lease.expiresAt },
      condition: 'attribute_not_exists(#messageSlice) OR (#state = :set_state AND #leaseUntil < :now)',
      names: ['messageSlice'],
      values: { now: lease.now },
    });
    if (claim.isDone) return { is: 'claimed' };
    const row = fromItem(taskRow, claim.stored ?? {});
    if (row.state === 'recorded') return { is: 'done', outcomes: row.outcomes, isFollowed: row.isFollowed };
    return { is: row.leaseId === lease.id ? 'claimed' : 'busy' };
  },

  /**
   * Records how a claimed task ended. Each subscription that was not reached gets a row of its own in the same
   * transaction. False when the lease had run out and another copy took over.
   */
  async record(task: LedgerTask, lease: Lease, outcomes: Outcomes): Promise<boolean> {
    const key = rowKey(task);
    const change = {
      set: { state: 'recorded', outcomes: toKept(outcomes) },
      condition: '#state = :claimed AND #leaseId = :lease',
      names: ['leaseId'],
      values: { claimed: 'claimed', lease: lease.id },
    };
    const rows = openRows(table, task, outcomes, lease);
    if (rows.length === 0) {
      const done = await update(client, table, key, change);
      return done.isDone || isOurs(done.stored, lease);
    }
    const answersOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
    const Update = { TableName: table, Key: key, ...updateOf(change), ...answersOld };
    const done = await transact(client, [{ Update }, ...rows]);
    return done.isDone || isOurs(done.refused.get(0), lease);
  },
});
