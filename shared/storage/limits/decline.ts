import { DeleteItemCommand, type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { toItem } from '../dynamo.ts';

// The one row of a mailbox whose owner never wants to be asked again; it has no end.
const key = (id: string) => toItem({ id, slot: 'never' });

export const isDeclined = (client: DynamoDBClient, table: string) => ({
  /** Whether the owner of the mailbox with this hash never wants to be asked again. */
  async isDeclined(id: string): Promise<boolean> {
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: key(id), ConsistentRead: true }));
    return Item !== undefined;
  },
});

export const decline = (client: DynamoDBClient, table: string) => ({
  /** From now on nobody asks the mailbox with this hash. */
  async decline(id: string): Promise<void> {
    await client.send(new PutItemCommand({ TableName: table, Item: key(id) }));
  },
});

export const allow = (client: DynamoDBClient, table: string) => ({
  /** Lets the mailbox with this hash be asked again; false when it might be anyway. */
  async allow(id: string): Promise<boolean> {
    const { Attributes } = await client.send(
      new DeleteItemCommand({ TableName: table, Key: key(id), ReturnValues: 'ALL_OLD' }),
    );
    return Attributes !== undefined;
  },
});
