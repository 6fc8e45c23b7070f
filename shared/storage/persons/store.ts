import type { Attributes } from '../../domain/persons/attributes.ts';
import type { Minted, Registered } from '../../domain/persons/mint-uin.ts';
import { batchGet } from '../batches.ts';
import { type DynamoTable, getItem, readRow, toItem } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';
import { transact } from '../writes.ts';
import { find, findUins } from './find.ts';
import { isFreeAt, mintKey, mintRow, notRetired, personKey, personRow, projectionOf, readPersonRow } from './rows.ts';

const readMany = (table: DynamoTable) => ({
  /** Returns attributes of up to 100 persons by UIN, in one batch. Omits UINs that no person has. */
  async getMany(uins: readonly string[], names: readonly string[]): Promise<ReadonlyMap<string, Attributes>> {
    const reading = { ConsistentRead: true, ...projectionOf(names) };
    const items = await batchGet(table, uins.map(personKey), reading);
    const persons = items.map(readPersonRow);
    return new Map(persons.map((person) => [String(person.uin), person]));
  },
});

const read = (table: DynamoTable) => ({
  ...findUins(table),
  /** Reads only the given attributes of a person and their `uin`. Returns undefined if no person has the UIN. */
  async get(uin: string, names: readonly string[]): Promise<Attributes | undefined> {
    const item = await getItem(table, personKey(uin), projectionOf(names));
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

async function replay(table: DynamoTable, hash: string): Promise<Minted> {
  const minted = await readRow(mintRow, table, mintKey(hash));
  return minted ? { is: 'replayed', uin: minted.uin } : { is: 'taken' };
}

const mint = (table: DynamoTable) => ({
  /**
   * Stores a person under a free UIN in one transaction. Returns `taken` if a person has this UIN or the UIN is
   * retired. If the same request was recorded before, returns `replayed` and the recorded UIN.
   */
  async put(uin: string, attributes: Attributes, { now, uinHash, record, by }: Minting): Promise<Minted> {
    const { TableName } = table;
    const recordItem = record && { ...mintKey(record.hash), ...toItem({ uin, expiresAt: record.expiresAt }) };
    const Item = { ...personRow(uin, attributes), ...toItem({ ...by }) };
    const done = await transact(table, [
      ...(recordItem ? [{ Put: { TableName, Item: recordItem, ...isFreeAt(now) } }] : []),
      { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(id)' } },
      notRetired(TableName, uinHash),
    ]);
    if (done.isDone) return { is: 'minted' };
    return record && done.failed.has(0) ? replay(table, record.hash) : { is: 'taken' };
  },
});

export const persons = tableStore('persons', { read, readMany, find, mint });
