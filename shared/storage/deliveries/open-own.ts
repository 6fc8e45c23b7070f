import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { sliceOf } from '../../domain/deliveries/slice.ts';
import { subscriptionOf } from '../../domain/deliveries/task-key.ts';
import { graceMs } from '../../domain/deliveries/times.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import { toItem, unlessConflict } from '../dynamo.ts';
import { dueAt, messageSlice, waitingFor } from './rows.ts';

export const openOwn = (client: DynamoDBClient, table: string) => ({
  /**
   * Opens the row of one subscription's own task before its first attempt: should the queue lose the task, the sweeper
   * finds it. `expiresAt` is epoch seconds. `resumes`: how often the sweeper has sent its like before.
   */
  async openOwn(task: DeliveryTask, now: number, expiresAt: number, resumes?: number): Promise<void> {
    const { taskKey, protocol } = task;
    const { messageId } = task.content;
    const owner = subscriptionOf(taskKey);
    const slice = sliceOf(owner, task.bits);
    const isConfirmation = task.content.type === 'SubscriptionConfirmation';
    const row = {
      messageSlice: messageSlice({ messageId, slice }),
      messageId,
      taskKey,
      protocol,
      state: 'waiting',
      attempt: -1,
      base: 0,
      notBefore: now,
      expiresAt,
      resumes,
    };
    await unlessConflict(
      client.send(
        new PutItemCommand({
          TableName: table,
          Item: toItem({ ...row, isConfirmation, ...waitingFor(owner, messageId), ...dueAt(owner, now + graceMs) }),
          ConditionExpression: 'attribute_not_exists(messageSlice)',
        }),
      ),
    );
  },
});
