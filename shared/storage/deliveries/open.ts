import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { auditMs } from '../../domain/deliveries/times.ts';
import type { ReferredNotification } from '../../model/deliveries/message.ts';
import { toItem, unlessConflict } from '../dynamo.ts';
import { openOwn } from './open-own.ts';
import { dueAt, publicationRowKey } from './rows.ts';

export const open = (client: DynamoDBClient, table: string) => ({
  ...openOwn(client, table),
  /**
   * Opens the message's row in the ledger, unless it is open. From then on the message is not lost: should the queues
   * lose it, the sweeper finds it. `expiresAt` is epoch seconds.
   */
  async open(notification: ReferredNotification, publicationId: string, now: number, expiresAt: number): Promise<void> {
    const { messageId } = notification;
    const row = { ...notification, publicationId, expiresAt, ...dueAt(messageId, now + auditMs) };
    await unlessConflict(
      client.send(
        new PutItemCommand({
          TableName: table,
          Item: { ...toItem(row), ...publicationRowKey(messageId) },
          ConditionExpression: 'attribute_not_exists(messageSlice)',
        }),
      ),
    );
  },
});
