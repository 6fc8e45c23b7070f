import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { ReferredNotification } from '../../domain/deliveries/message.ts';
import { auditMs } from '../../domain/deliveries/times.ts';
import { fromItem, toItem, unlessConflict } from '../dynamo.ts';
import { openOwn } from './open-own.ts';
import { readPublication } from './read-publication.ts';
import { type MessageRow, messageRow } from './row-schemas.ts';
import { dueAt, publicationRowKey } from './rows.ts';

export const open = (client: DynamoDBClient, table: string) => ({
  ...openOwn(client, table),
  ...readPublication(client, table),
  /**
   * Opens the message's row in the ledger, unless it is open. From then on the message is not lost: should the queues
   * lose it, the sweeper finds it. `expiresAt` is epoch seconds. Answers the row that another publication has opened before.
   */
  async open(
    notification: ReferredNotification & Pick<MessageRow, 'contentId'>,
    publicationId: string,
    now: number,
    expiresAt: number,
  ): Promise<MessageRow | undefined> {
    const { messageId } = notification;
    const row = { ...notification, publicationId, expiresAt, ...dueAt(messageId, now + auditMs) };
    const write = await unlessConflict(
      client.send(
        new PutItemCommand({
          TableName: table,
          Item: { ...toItem(row), ...publicationRowKey(messageId) },
          ConditionExpression: 'attribute_not_exists(messageSlice)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
    if (write.isDone || write.stored === undefined) return undefined;
    // The client asks again where an answer was lost: the row in the way may be this one.
    const opened = fromItem(messageRow, write.stored);
    return opened.publicationId === publicationId ? undefined : opened;
  },
});
