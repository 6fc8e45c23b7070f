import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DeliveryTask } from '../../domain/deliveries/task.ts';
import type { Item } from '../dynamo.ts';
import { update } from '../update.ts';
import { rowKey } from './rows.ts';

/** `now` is epoch milliseconds, `expiresAt` is epoch seconds. */
export interface Times {
  readonly now: number;
  readonly expiresAt: number;
}

/**
 * The lease of one run, until `leaseUntil` (epoch milliseconds). Its `id` identifies our own write if DynamoDB's
 * response was lost.
 */
export interface Lease extends Times {
  readonly id: string;
  readonly leaseUntil: number;
}

export type TaskId = Pick<DeliveryTask, 'taskKey' | 'attempt' | 'protocol'> & {
  readonly messageId: string;
  /** See `rowShardOfSubscription`. */
  readonly rowShard: number;
  /** A confirmation cannot be rebuilt from its row, because its token is stored nowhere. */
  readonly isConfirmation?: boolean;
};

/** DynamoDB accepted our write, but its response was lost. */
export const isOwnWrite = (stored: Item | undefined, lease: Lease): boolean =>
  stored?.leaseId?.S === lease.id && stored.state?.S !== 'leased';

export const afterEffects = (client: DynamoDBClient, table: string) => ({
  /**
   * Takes over the after-effects of a recorded task. `busy`: the lease of the run that recorded it has not expired.
   * `done`: they have run, or the task has changed.
   */
  async takeOverAfterEffects(task: TaskId, lease: Lease): Promise<'taken' | 'busy' | 'done'> {
    const taken = await update(client, table, rowKey(task), {
      set: { leaseId: lease.id, leaseUntil: lease.leaseUntil },
      condition:
        'attribute_not_exists(#hasRunAfterEffects) AND #state <> :leased AND ' +
        '(attribute_not_exists(#leaseUntil) OR #leaseUntil < :now)',
      names: ['hasRunAfterEffects', 'state'],
      values: { now: lease.now, leased: 'leased' },
    });
    if (taken.isDone) return 'taken';
    const { hasRunAfterEffects, leaseId, state } = taken.stored ?? {};
    if (state === undefined || hasRunAfterEffects || state.S === 'leased') return 'done';
    return leaseId?.S === lease.id ? 'taken' : 'busy';
  },

  async markAfterEffectsDone(task: TaskId, lease: Lease): Promise<void> {
    await update(client, table, rowKey(task), {
      set: { hasRunAfterEffects: true },
      condition: '#leaseId = :lease AND #state <> :leased',
      names: ['leaseId', 'state'],
      values: { lease: lease.id, leased: 'leased' },
    });
  },
});

export const release = (client: DynamoDBClient, table: string) => ({
  async release(task: TaskId, lease: Lease): Promise<void> {
    await update(client, table, rowKey(task), {
      set: { leaseUntil: 0 },
      condition: '#state = :leased AND #leaseId = :lease',
      names: ['state', 'leaseId'],
      values: { leased: 'leased', lease: lease.id },
    });
  },
});
