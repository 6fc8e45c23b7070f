import { type DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import { fromItem, toItem } from '../dynamo.ts';
import { update } from '../update.ts';
import { lookedNames, messageRow, type TaskRow, taskRow } from './row-schemas.ts';
import { messageSlice, publicationRowKey, type Slice } from './rows.ts';

export const fanOut = (client: DynamoDBClient, table: string) => ({
  /**
   * Says how this message's tasks are partitioned, which is decided once: answers the bits in force. `absent`: its row was not
   * opened; `other`: it belongs to another publication under the same Idempotency-Key.
   */
  async partition(messageId: string, publicationId: string, bits: number): Promise<number | 'absent' | 'other'> {
    const write = await update(client, table, publicationRowKey(messageId), {
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

  /** The tasks of a slice of a message that the ledger knows, with keys from `first` to `last`, a page at a time. */
  async *tasks(of: Slice, [first, last]: readonly [string, string]): AsyncGenerator<TaskRow[]> {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        KeyConditionExpression: 'messageSlice = :slice AND taskKey BETWEEN :first AND :last',
        ExpressionAttributeValues: toItem({ ':slice': messageSlice(of), ':first': first, ':last': last }),
      },
    );
    for await (const { Items = [] } of pages) yield Items.map((item) => fromItem(taskRow, item));
  },

  /** The audit found nothing missing: the sweeper need not look at the message again. */
  async settle(messageId: string): Promise<void> {
    await update(client, table, publicationRowKey(messageId), {
      remove: ['sweepShard', 'sweepAt', ...lookedNames],
      condition: 'attribute_exists(#messageSlice)',
      names: ['messageSlice'],
    });
  },
});
