import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { recoveryKey } from '../../domain/deliveries/task-key.ts';
import { fromItem, type Item } from '../dynamo.ts';
import { type Recovery, recoveryRow } from './row-schemas.ts';
import { keyOf } from './rows.ts';

export const recoveryRowKey = (uuid: string): Item =>
  keyOf({ messageSlice: `${recoveryKey}#${uuid}`, taskKey: recoveryKey });

export const recoveryRowOf = (client: DynamoDBClient, table: string) => ({
  /** The recovery of a subscription; undefined where none was ever asked for, or the ledger has forgotten it. */
  async recoveryOf(uuid: string): Promise<Recovery | undefined> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: recoveryRowKey(uuid), ConsistentRead: true }),
    );
    return Item && fromItem(recoveryRow, Item);
  },
});
