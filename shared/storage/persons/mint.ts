import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../../domain/persons/attributes.ts';
import type { Minted } from '../../domain/persons/claim-uin.ts';
import type { Registered } from '../../model/persons/registered.ts';
import { fromItem, toItem } from '../dynamo.ts';
import { transact } from '../transact.ts';
import { noneGone } from './gone.ts';
import { mintRow } from './row-schemas.ts';
import { isFreeAt, mintKey, personRow } from './rows.ts';

/** A record of a repeatable mint. `hash` is a function of caller, key and attributes; times are epoch seconds. */
interface MintRecord {
  readonly hash: string;
  readonly expiresAt: number;
}

interface Minting {
  /** Epoch seconds. */
  readonly now: number;
  readonly record?: MintRecord | undefined;
  readonly by?: Registered;
}

export const mint = (client: DynamoDBClient, table: string) => {
  async function replay(record: MintRecord): Promise<Minted> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: mintKey(record.hash), ConsistentRead: true }),
    );
    return Item ? { is: 'replayed', uin: fromItem(mintRow, Item).uin } : { is: 'taken' };
  }

  return {
    /**
     * Stores a person under a number that nobody has, and nobody had who is remembered; else `taken`. With a record, if one is
     * given: `replayed` with the first number when the key was used with these attributes before, and its record has not
     * expired. One transaction, which DynamoDB knows again when it is sent once more because its answer was lost.
     */
    async put(uin: string, attributes: Attributes, { now, record, by }: Minting): Promise<Minted> {
      const recordItem = record && { ...mintKey(record.hash), ...toItem({ uin, expiresAt: record.expiresAt }) };
      const done = await transact(client, [
        ...(recordItem ? [{ Put: { TableName: table, Item: recordItem, ...isFreeAt(now) } }] : []),
        {
          Put: {
            TableName: table,
            Item: { ...personRow(uin, attributes), ...toItem({ ...by }) },
            ConditionExpression: 'attribute_not_exists(id)',
          },
        },
        noneGone(table, uin, now),
      ]);
      if (done.isDone) return { is: 'minted' };
      return record && done.refused.has(0) ? replay(record) : { is: 'taken' };
    },
  };
};
