import type { CarriedNotification } from '../../domain/deliveries/message.ts';
import { reconcileAfterMs } from '../../domain/deliveries/times.ts';
import { type DynamoTable, fromItem, queryPages, readRow, toItem } from '../dynamo.ts';
import { putIf, update, updateIf } from '../writes.ts';
import { type MessageRow, messageRow, sweepStateNames, type TaskRow, taskRow } from './row-schemas.ts';
import { dueAt, isNew, messageShard, publicationRowKey, type RowShard } from './rows.ts';
import { openSingle } from './single-deliveries.ts';

export const fanOut = (table: DynamoTable) => ({
  /**
   * Sets the number of shards, once per message, and returns the number that is in effect. If the number cannot be set,
   * returns the reason: the row is missing, or belongs to another publication with the same Idempotency-Key.
   */
  async fixShards(messageId: string, publicationId: string, shardBits: number): Promise<number | 'absent' | 'other'> {
    const write = await update(table, publicationRowKey(messageId), {
      set: { shardBits },
      condition: '#publicationId = :publicationId AND attribute_not_exists(#shardBits)',
      values: { publicationId },
    });
    if (write.isDone) return shardBits;
    if (write.stored === undefined) return 'absent';
    const row = fromItem(messageRow, write.stored);
    return row.publicationId === publicationId && row.shardBits !== undefined ? row.shardBits : 'other';
  },

  async *listTasks(of: RowShard, [first, last]: readonly [string, string]): AsyncGenerator<TaskRow[]> {
    const pages = queryPages(table, {
      KeyConditionExpression: 'messageShard = :rowShard AND taskKey BETWEEN :first AND :last',
      ExpressionAttributeValues: toItem({ ':rowShard': messageShard(of), ':first': first, ':last': last }),
    });
    for await (const items of pages) yield items.map((item) => fromItem(taskRow, item));
  },

  /**
   * Records that a reconciliation has checked all shards before `to`. Returns false if a duplicate payload has already
   * recorded the same progress.
   */
  passSegment: (messageId: string, to: number): Promise<boolean> =>
    updateIf(table, publicationRowKey(messageId), {
      set: { reconciledTo: to },
      condition: 'attribute_not_exists(#reconciledTo) OR #reconciledTo < :set_reconciledTo',
    }),

  /** Removes a message from the sweeper's index, because all deliveries of the message are recorded. */
  async completeMessage(messageId: string): Promise<void> {
    await update(table, publicationRowKey(messageId), {
      remove: ['sweepShard', 'sweepAt', ...sweepStateNames],
      condition: 'attribute_exists(#messageShard)',
    });
  },
});

export const readMessage = (table: DynamoTable) => ({
  /** Returns undefined if the message has expired. */
  getMessage: (messageId: string): Promise<MessageRow | undefined> =>
    readRow(messageRow, table, publicationRowKey(messageId), { ConsistentRead: false }),
});

export const publish = (table: DynamoTable) => ({
  ...openSingle(table),
  ...readMessage(table),
  /**
   * Creates the message's row, so that the sweeper finds the message if a queue loses it. If an earlier publication
   * created the row, returns that row. `expiresAt` is in epoch seconds.
   */
  async createMessage(
    notification: CarriedNotification & Pick<MessageRow, 'contentId'>,
    publicationId: string,
    now: number,
    expiresAt: number,
  ): Promise<MessageRow | undefined> {
    const { messageId } = notification;
    const row = { ...notification, publicationId, expiresAt, ...dueAt(messageId, now + reconcileAfterMs) };
    const write = await putIf(table, { ...toItem(row), ...publicationRowKey(messageId) }, isNew);
    if (write.isDone || write.stored === undefined) return undefined;
    // The SDK repeats a request if its response is lost, so this call may have written the row.
    const opened = fromItem(messageRow, write.stored);
    return opened.publicationId === publicationId ? undefined : opened;
  },
});
