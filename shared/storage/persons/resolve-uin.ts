import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Item, readRow } from '../dynamo.ts';
import { formerRow } from './row-schemas.ts';
import { formerKey, personKey, retiredKey } from './rows.ts';

interface PersonUins {
  /** The person's current UIN, or the last UIN of a removed person, followed by the former UINs. */
  readonly uins: readonly [string, ...string[]];
  readonly isRegistered: boolean;
}

const reader = (client: DynamoDBClient, table: string) => (Key: Item) =>
  // `id` distinguishes a row without the other attributes from a missing row.
  readRow(formerRow, client, table, Key, { ProjectionExpression: 'id, keptUin, formerUins' });

export const findUins = (client: DynamoDBClient, table: string) => {
  const read = reader(client, table);
  return {
    /** Returns all UINs of the person who has or had this UIN, even after several merges. */
    async uinsOf(uin: string): Promise<PersonUins> {
      const followed = new Set<string>();
      for (let at = uin; ; ) {
        followed.add(at);
        const person = await read(personKey(at));
        const { keptUin, formerUins = [] } = person ?? (await read(formerKey(at))) ?? {};
        if (person !== undefined || keptUin === undefined || followed.has(keptUin)) {
          return { uins: [at, ...formerUins], isRegistered: person !== undefined };
        }
        at = keptUin;
      }
    },
  };
};

export const resolve = (client: DynamoDBClient, table: string) => ({
  /** Returns the state of the person who has or had this UIN; `unknown` if there is no such person. */
  async stateOf(uin: string, uinHash: string): Promise<'registered' | 'deleted' | 'unknown'> {
    const { isRegistered } = await findUins(client, table).uinsOf(uin);
    if (isRegistered) return 'registered';
    return (await reader(client, table)(retiredKey(uinHash))) === undefined ? 'unknown' : 'deleted';
  },
});
