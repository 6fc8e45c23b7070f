import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { update } from '../update.ts';
import type { Lease, LedgerTask } from './lease.ts';
import { rowKey } from './rows.ts';

/** Who does what follows from a recorded task: the run that recorded it, and another only where that one has died. */
export const follow = (client: DynamoDBClient, table: string) => ({
  /**
   * Takes over what follows from a task that another run has recorded. `busy`: that run's lease is not over, so it may be
   * at it; `followed`: it was done, or the task has moved on.
   */
  async takeOver(task: LedgerTask, lease: Lease): Promise<'taken' | 'busy' | 'followed'> {
    const taken = await update(client, table, rowKey(task), {
      set: { leaseId: lease.id, leaseUntil: lease.leaseUntil },
      condition:
        'attribute_not_exists(#isFollowed) AND #state <> :claimed AND ' +
        '(attribute_not_exists(#leaseUntil) OR #leaseUntil < :now)',
      names: ['isFollowed', 'state'],
      values: { now: lease.now, claimed: 'claimed' },
    });
    if (taken.isDone) return 'taken';
    const { isFollowed, leaseId, state } = taken.stored ?? {};
    if (state === undefined || isFollowed || state.S === 'claimed') return 'followed';
    return leaseId?.S === lease.id ? 'taken' : 'busy';
  },

  /** Notes that what follows from the task was done, by the run that holds this lease. */
  async followed(task: LedgerTask, lease: Lease): Promise<void> {
    await update(client, table, rowKey(task), {
      set: { isFollowed: true },
      condition: '#leaseId = :lease AND #state <> :claimed',
      names: ['leaseId', 'state'],
      values: { lease: lease.id, claimed: 'claimed' },
    });
  },
});
