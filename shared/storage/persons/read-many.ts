import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../../domain/persons/attributes.ts';
import { batchGet } from '../batch-get.ts';
import { personKey, projectionOf, readPersonRow } from './rows.ts';

export const readMany = (client: DynamoDBClient, table: string) => ({
  /** The given attributes of up to 100 persons, as `get` answers those of one, by UIN. One batch; who is not there is left out. */
  async getMany(uins: readonly string[], names: readonly string[]): Promise<ReadonlyMap<string, Attributes>> {
    const reading = { ConsistentRead: true, ...projectionOf(names) };
    const items = await batchGet(client, table, uins.map(personKey), reading);
    const persons = items.map(readPersonRow);
    return new Map(persons.map((person) => [String(person.uin), person]));
  },
});
