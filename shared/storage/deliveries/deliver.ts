import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { fromItem } from '../dynamo.ts';
import { update } from '../update.ts';
import { admit } from './admit.ts';
import { deliverSeveral } from './deliver-several.ts';
import { deliverSingle } from './deliver-single.ts';
import { follow } from './follow.ts';
import { release } from './release.ts';
import { messageRow, publicationRowKey } from './rows.ts';
import { turn } from './turn.ts';

export const deliver = (client: DynamoDBClient, table: string) => ({
  ...deliverSeveral(client, table),
  ...admit(client, table),
  ...release(client, table),
  ...deliverSingle(client, table),
  ...follow(client, table),
  ...turn(client, table),

  /** The body of a long message, which its tasks do not carry. */
  async bodyOf(messageId: string): Promise<string | undefined> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: publicationRowKey(messageId), ConsistentRead: true }),
    );
    return Item && fromItem(messageRow, Item).bodyBase64;
  },

  /** Keeps a long-lived message's body as long as its retries need it. `expiresAt` is epoch seconds. */
  async keepMessage(messageId: string, expiresAt: number): Promise<void> {
    await update(client, table, publicationRowKey(messageId), {
      set: { expiresAt },
      condition: '#expiresAt < :set_expiresAt',
    });
  },
});
