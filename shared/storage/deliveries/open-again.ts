import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { subscriptionOf } from '../../domain/deliveries/task-key.ts';
import { graceMs } from '../../domain/deliveries/times.ts';
import type { LedgerOutcome } from '../../model/deliveries/outcome.ts';
import { toItem, unlessConflict } from '../dynamo.ts';
import type { LedgerTask } from './lease.ts';
import type { Times } from './outcomes.ts';
import { dueAt, messageSlice, rowKey, waitingFor } from './rows.ts';

export const openAgain = (client: DynamoDBClient, table: string) => ({
  /**
   * Closes the task of a bucket that the ledger does not know: whoever of its subscriptions is found after that gets a task alone,
   * so that nobody is served by both. False when the task is there by now.
   */
  async close(task: LedgerTask, { now, expiresAt }: Times): Promise<boolean> {
    const closed = await unlessConflict(
      client.send(
        new PutItemCommand({
          TableName: table,
          Item: {
            ...rowKey(task),
            ...toItem({
              state: 'recorded',
              leaseId: 'closed',
              leaseUntil: now,
              outcomes: {},
              isFollowed: true,
              expiresAt,
            }),
          },
          ConditionExpression: 'attribute_not_exists(messageSlice)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
    // Our own write, whose answer was lost, is not somebody else's.
    return closed.isDone || closed.stored?.leaseId?.S === 'closed';
  },

  /**
   * Opens the row of a subscription's own task for `task.attempt`, which the policy counts from, after the outcome that it had in the
   * task of its bucket. False when it has one by now.
   */
  async openAlone(task: LedgerTask, before: LedgerOutcome | undefined, { now, expiresAt }: Times): Promise<boolean> {
    const { messageId, slice, taskKey, attempt, protocol } = task;
    const uuid = subscriptionOf(taskKey);
    const row = {
      messageSlice: messageSlice({ messageId, slice }),
      ...{ messageId, taskKey, protocol, state: 'waiting', attempt: attempt - 1, base: attempt },
      outcome: before,
      isFollowed: true,
      ...{ notBefore: now, expiresAt, ...waitingFor(uuid, messageId), ...dueAt(uuid, now + graceMs) },
    };
    const opened = await unlessConflict(
      client.send(
        new PutItemCommand({
          TableName: table,
          Item: toItem(row),
          ConditionExpression: 'attribute_not_exists(messageSlice)',
        }),
      ),
    );
    return opened.isDone;
  },
});
