import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { subscriptionOf } from '../../domain/deliveries/task-key.ts';
import { graceMs } from '../../domain/deliveries/times.ts';
import { update } from '../update.ts';
import { lookedNames, type SingleRow } from './row-schemas.ts';
import { dueAt, keyOf, waitingFor } from './rows.ts';

/** What names a subscription's own row as it was read. */
export type OwnRow = Pick<SingleRow, 'messageSlice' | 'taskKey' | 'messageId' | 'attempt'>;

export const reopen = (client: DynamoDBClient, table: string) => ({
  /**
   * Opens a failed or stuck row again, or one that was dropped or (`isAnew`) delivered: the policy counts from its next attempt.
   * False when it is none of these any more, or is being worked on.
   */
  async reopen(row: OwnRow, now: number, expiresAt: number, isAnew = false): Promise<boolean> {
    const opened = await update(client, table, keyOf(row), {
      set: {
        state: 'waiting',
        base: row.attempt + 1,
        notBefore: now,
        expiresAt,
        ...waitingFor(subscriptionOf(row.taskKey), row.messageId),
        ...dueAt(subscriptionOf(row.taskKey), now + graceMs),
      },
      remove: lookedNames,
      condition:
        `#attempt = :attempt AND (#state IN (:failed, :dropped${isAnew ? ', :delivered' : ''}) OR (#isStuck = :stuck AND ` +
        '(attribute_not_exists(#leaseUntil) OR #leaseUntil < :set_notBefore)))',
      names: ['attempt', 'leaseUntil'],
      values: {
        failed: 'failed',
        dropped: 'dropped',
        ...(isAnew && { delivered: 'delivered' }),
        attempt: row.attempt,
        stuck: true,
      },
    });
    return opened.isDone;
  },
});
