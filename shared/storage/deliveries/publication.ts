import { type DynamoDBClient, PutItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { Notification } from '../../model/deliveries/message.ts';
import { fromItem, toItem, unlessConflict } from '../dynamo.ts';
import { update } from '../update.ts';
import { auditMs, dueAt, graceMs, messageKey, messageRow, subscriptionOf, type TaskRow, taskRow } from './rows.ts';

export const opening = (client: DynamoDBClient, table: string) => ({
  /**
   * Opens the row of one subscription's own task before its first attempt: should the queue lose the task, the sweeper
   * finds it. `expiresAt` is epoch seconds.
   */
  async openSingle(task: DeliveryTask, now: number, expiresAt: number): Promise<void> {
    const { taskKey, protocol } = task;
    const { messageId } = task.content;
    const isConfirmation = task.content.type === 'SubscriptionConfirmation';
    const row = { messageId, taskKey, protocol, state: 'waiting', attempt: -1, base: 0, notBefore: now, expiresAt };
    await unlessConflict(
      client.send(
        new PutItemCommand({
          TableName: table,
          Item: toItem({ ...row, isConfirmation, owner: subscriptionOf(taskKey), ...dueAt(messageId, now + graceMs) }),
          ConditionExpression: 'attribute_not_exists(messageId)',
        }),
      ),
    );
  },
});

export const open = (client: DynamoDBClient, table: string) => ({
  ...opening(client, table),
  /**
   * Opens the message's page in the ledger, unless it is open. From then on the message is not lost: should the queues
   * lose it, the sweeper finds it. `expiresAt` is epoch seconds.
   */
  async open(notification: Notification, publicationId: string, now: number, expiresAt: number): Promise<void> {
    const { messageId } = notification;
    const row = { ...notification, publicationId, expiresAt, ...dueAt(messageId, now + auditMs) };
    await unlessConflict(
      client.send(
        new PutItemCommand({
          TableName: table,
          Item: { ...toItem(row), ...messageKey(messageId) },
          ConditionExpression: 'attribute_not_exists(messageId)',
        }),
      ),
    );
  },
});

export const fanOut = (client: DynamoDBClient, table: string) => ({
  /**
   * Says how this message's tasks are partitioned, which is decided once: answers the bits in force. `absent`: its page was not
   * opened; `other`: it belongs to another publication under the same Idempotency-Key.
   */
  async partition(messageId: string, publicationId: string, bits: number): Promise<number | 'absent' | 'other'> {
    const write = await update(client, table, messageKey(messageId), {
      set: { bits },
      condition: '#publicationId = :publicationId AND attribute_not_exists(#bits)',
      names: ['publicationId'],
      values: { publicationId },
    });
    if (write.isDone) return bits;
    if (write.stored === undefined) return 'absent';
    const row = fromItem(messageRow, write.stored);
    return row.publicationId === publicationId && row.bits !== undefined ? row.bits : 'other';
  },

  /** The tasks of a message that the ledger knows, with keys from `first` to `last`, a page at a time. */
  async *tasks(messageId: string, first: string, last: string): AsyncGenerator<TaskRow[]> {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        KeyConditionExpression: 'messageId = :messageId AND taskKey BETWEEN :first AND :last',
        ExpressionAttributeValues: toItem({ ':messageId': messageId, ':first': first, ':last': last }),
      },
    );
    for await (const { Items = [] } of pages) yield Items.map((item) => fromItem(taskRow, item));
  },

  /** The audit found nothing missing: the sweeper need not look at the message again. */
  async settle(messageId: string): Promise<void> {
    await update(client, table, messageKey(messageId), {
      remove: ['sweepShard', 'sweepAt'],
      condition: 'attribute_exists(#messageId)',
      names: ['messageId'],
    });
  },
});
