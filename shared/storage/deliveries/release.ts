import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { update } from '../update.ts';
import type { Lease, LedgerTask } from './lease.ts';
import { rowKey } from './rows.ts';

export const release = (client: DynamoDBClient, table: string) => ({
  /** Gives a claim back, of a task that was not begun under this lease: whoever comes next is granted it at once. */
  async release(task: LedgerTask, lease: Lease): Promise<void> {
    await update(client, table, rowKey(task), {
      set: { leaseUntil: 0 },
      condition: '#state = :claimed AND #leaseId = :lease',
      names: ['state', 'leaseId'],
      values: { claimed: 'claimed', lease: lease.id },
    });
  },
});
