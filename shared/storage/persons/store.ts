import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { defineStore } from '../../contract/define-store.ts';
import type { Attributes } from '../../domain/persons/attributes.ts';
import type { Minted, Registered } from '../../domain/persons/mint-uin.ts';
import { batchGet } from '../batches.ts';
import { getItem, readRow, toItem } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';
import { transact } from '../writes.ts';
import { find, findUins } from './find.ts';
import { isFreeAt, mintKey, mintRow, notRetired, personKey, personRow, projectionOf, readPersonRow } from './rows.ts';

const readMany = (client: DynamoDBClient, table: string) => ({
  /** Returns attributes of up to 100 persons by UIN, in one batch. Omits UINs that no person has. */
  async getMany(uins: readonly string[], names: readonly string[]): Promise<ReadonlyMap<string, Attributes>> {
    const reading = { ConsistentRead: true, ...projectionOf(names) };
    const items = await batchGet(client, table, uins.map(personKey), reading);
    const persons = items.map(readPersonRow);
    return new Map(persons.map((person) => [String(person.uin), person]));
  },
});

const read = (client: DynamoDBClient, table: string) => ({
  ...findUins(client, table),
  /** Reads only the given attributes of a person and their `uin`. Returns undefined if no person has the UIN. */
  async get(uin: string, names: readonly string[]): Promise<Attributes | undefined> {
    const item = await getItem(client, table, personKey(uin), projectionOf(names));
    return item && readPersonRow(item);
  },
});

/** Times are epoch seconds. */
interface Minting {
  readonly now: number;
  readonly uinHash: string;
  /** Identifies repeated requests. `hash` covers the caller, key and attributes. */
  readonly record?: { readonly hash: string; readonly expiresAt: number } | undefined;
  readonly by?: Registered;
}

const mint = (client: DynamoDBClient, table: string) => {
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

export const persons = defineStore({ name: 'persons', ...tableStore, permissions: { read, readMany, find, mint } });
