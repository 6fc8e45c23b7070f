import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { defineStore } from '../../contract/define-store.ts';
import type { Attributes } from '../../domain/persons/attributes.ts';
import { batchGet } from '../batches.ts';
import { getItem } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';
import { find } from './find.ts';
import { mint } from './mint.ts';
import { findUins } from './resolve-uin.ts';
import { personKey, projectionOf, readPersonRow } from './rows.ts';

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

export const persons = defineStore({ name: 'persons', ...tableStore, permissions: { read, readMany, find, mint } });
