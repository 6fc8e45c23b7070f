import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../../domain/persons/attributes.ts';
import type { Minted, Registered } from '../../domain/persons/mint-uin.ts';
import { readRow, toItem } from '../dynamo.ts';
import { transact } from '../transact.ts';
import { mintRow } from './row-schemas.ts';
import { isFreeAt, mintKey, notRetired, personRow } from './rows.ts';

/** Times are epoch seconds. */
interface Minting {
  readonly now: number;
  readonly uinHash: string;
  /** Identifies repeated requests. `hash` covers the caller, key and attributes. */
  readonly record?: { readonly hash: string; readonly expiresAt: number } | undefined;
  readonly by?: Registered;
}

export const mint = (client: DynamoDBClient, table: string) => {
  async function replay(hash: string): Promise<Minted> {
    const minted = await readRow(mintRow, client, table, mintKey(hash));
    return minted ? { is: 'replayed', uin: minted.uin } : { is: 'taken' };
  }

  return {
    /**
     * Stores a person under a free UIN in one transaction. Returns `taken` if a person has this UIN or the UIN is
     * retired. If the same request was recorded before, returns `replayed` and the recorded UIN.
     */
    async put(uin: string, attributes: Attributes, { now, uinHash, record, by }: Minting): Promise<Minted> {
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
        notRetired(table, uinHash),
      ]);
      if (done.isDone) return { is: 'minted' };
      return record && done.failed.has(0) ? replay(record.hash) : { is: 'taken' };
    },
  };
};
