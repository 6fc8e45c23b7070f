import type { DeliveryOutcome } from '../../domain/deliveries/outcome.ts';
import { publicationKey, singleTaskPrefix, subscriptionOf } from '../../domain/deliveries/task.ts';
import { graceMs } from '../../domain/deliveries/times.ts';
import { type DynamoTable, queryPages, type TableQuery, toItem } from '../dynamo.ts';
import { putIf, updateIf } from '../writes.ts';
import { readMessage } from './publications.ts';
import { type SingleRow, singleRow, sweepStateNames } from './row-schemas.ts';
import {
  allRowShards,
  dueAt,
  failedShards,
  isNew,
  messageShard,
  type OnRowError,
  primaryKey,
  publicationRowKey,
  readRows,
  rowKey,
  type TaskId,
  type Times,
  timeKey,
  waitingKeys,
} from './rows.ts';

export type SingleRowKey = Pick<SingleRow, 'messageShard' | 'taskKey' | 'messageId' | 'attempt'>;

const reopen = (table: DynamoTable) => ({
  /**
   * Reopens a failed, stuck or dropped row or, with `isForced`, a delivered row. Retries are counted from the next
   * attempt. Returns false if the row is leased or in another state.
   */
  reopen: (
    row: SingleRowKey & Pick<TaskId, 'publishedAt'>,
    now: number,
    expiresAt: number,
    isForced = false,
  ): Promise<boolean> =>
    updateIf(table, primaryKey(row), {
      set: {
        state: 'waiting',
        base: row.attempt + 1,
        notBefore: now,
        expiresAt,
        ...waitingKeys(subscriptionOf(row.taskKey), row, now + graceMs),
      },
      remove: sweepStateNames,
      condition:
        `#attempt = :attempt AND (#state IN (:failed, :dropped${isForced ? ', :delivered' : ''}) OR (#isStuck = :stuck AND ` +
        '(attribute_not_exists(#leaseUntil) OR #leaseUntil < :set_notBefore)))',
      values: {
        failed: 'failed',
        dropped: 'dropped',
        ...(isForced && { delivered: 'delivered' }),
        attempt: row.attempt,
        stuck: true,
      },
    }),
});

export const redeliver = (table: DynamoTable) => ({
  ...readMessage(table),
  ...reopen(table),

  /**
   * Records a batch without outcomes if the batch has no row, or if the run that leased it was interrupted. Afterwards,
   * the batch's subscriptions can receive the message only as single deliveries. Returns false if the batch is leased
   * or recorded.
   */
  async closeBatch(task: TaskId, { now, expiresAt }: Times): Promise<boolean> {
    const row = { state: 'recorded', leaseId: 'closed', leaseUntil: now, outcomes: {}, hasRunAfterEffects: true };
    const isFree = {
      condition: 'attribute_not_exists(#messageShard) OR (#state = :leased AND #leaseUntil < :now)',
      values: { leased: 'leased', now },
    };
    const closed = await putIf(table, { ...rowKey(task), ...toItem({ ...row, expiresAt }) }, isFree);
    // An earlier attempt whose response was lost may have written this row.
    return closed.isDone || closed.stored?.leaseId?.S === 'closed';
  },

  /**
   * Creates the row of a single delivery whose last outcome is `before`. Retries are counted from `task.attempt`.
   * Returns false if the row already exists.
   */
  async openRedelivery(task: TaskId, before: DeliveryOutcome | undefined, { now, expiresAt }: Times): Promise<boolean> {
    const { messageId, rowShard, taskKey, attempt, protocol } = task;
    const uuid = subscriptionOf(taskKey);
    const row = {
      messageShard: messageShard({ messageId, rowShard }),
      ...{ messageId, taskKey, protocol, state: 'waiting', attempt: attempt - 1, base: attempt },
      outcome: before,
      hasRunAfterEffects: true,
      ...{ notBefore: now, expiresAt, ...waitingKeys(uuid, task, now + graceMs) },
    };
    return (await putIf(table, toItem(row), isNew)).isDone;
  },
});

export const redeliverFailed = (table: DynamoTable) => ({
  ...readMessage(table),
  ...reopen(table),

  /**
   * Returns the failed and stuck rows of a message, of a subscription, or of all messages since a time (epoch
   * milliseconds), page by page. For a time, also returns the ids of the messages whose reconciliation is stuck.
   */
  async *listFailed(choice: FailedChoice, onError: OnRowError) {
    for (const query of queriesOf(choice)) {
      for await (const items of queryPages(table, query)) {
        // A recovery may be stuck, too. Its client continues it by requesting it again.
        const singles = items.filter(({ taskKey }) => taskKey?.S?.startsWith(singleTaskPrefix));
        const messages = items.filter(({ taskKey }) => taskKey?.S === publicationKey);
        yield {
          rows: readRows(singleRow, singles, onError).filter(({ state, isStuck }) => state === 'failed' || isStuck),
          stuckMessages: messages.flatMap(({ messageId }) => messageId?.S ?? []),
        };
      }
    }
  },

  /**
   * Makes a stuck message due again. Returns false if the message is not stuck, or if it was published before `since`
   * (RFC 3339).
   */
  scheduleReconciliation: (messageId: string, now: number, since: string): Promise<boolean> =>
    updateIf(table, publicationRowKey(messageId), {
      set: dueAt(messageId, now),
      remove: sweepStateNames,
      condition: '#isStuck = :stuck AND #timestamp >= :since',
      values: { stuck: true, since },
    }),
});

type FailedChoice = { messageId: string } | { subscription: string } | { since: number };

function queriesOf(choice: FailedChoice): TableQuery[] {
  if ('messageId' in choice) {
    // Query all row shards: the message's row, which contains the number of shards, may have expired.
    return allRowShards.map((rowShard) => ({
      KeyConditionExpression: 'messageShard = :rowShard AND begins_with(taskKey, :one)',
      ExpressionAttributeValues: toItem({
        ':rowShard': messageShard({ messageId: choice.messageId, rowShard }),
        ':one': singleTaskPrefix,
      }),
    }));
  }
  if ('subscription' in choice) {
    return [
      {
        IndexName: 'bySubscription',
        KeyConditionExpression: '#owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: toItem({ ':owner': choice.subscription }),
      },
    ];
  }
  return failedShards.map((shard) => ({
    IndexName: 'bySweep',
    KeyConditionExpression: 'sweepShard = :shard AND sweepAt >= :since',
    ExpressionAttributeValues: toItem({ ':shard': shard, ':since': timeKey(choice.since) }),
  }));
}
