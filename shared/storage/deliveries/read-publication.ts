import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { fromItem } from '../dynamo.ts';
import { type MessageRow, messageRow } from './row-schemas.ts';
import { publicationRowKey } from './rows.ts';

export const readPublication = (client: DynamoDBClient, table: string) => ({
  /** The row of a message, or undefined when the ledger has forgotten it. */
  async message(messageId: string): Promise<MessageRow | undefined> {
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: publicationRowKey(messageId) }));
    return Item && fromItem(messageRow, Item);
  },
});
