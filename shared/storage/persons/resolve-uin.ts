import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { fromItem, type Item } from '../dynamo.ts';
import { formerRow } from './row-schemas.ts';
import { formerKey, personKey, retiredKey } from './rows.ts';

interface PersonUins {
  /** The person's current UIN, or the last UIN of a removed person, followed by the former UINs. */
  readonly uins: readonly [string, ...string[]];
  readonly isRegistered: boolean;
}

const reader =
  (client: DynamoDBClient, table: string) =>
  async (Key: Item): Promise<Item | undefined> => {
    // `id` distinguishes a row without the other attributes from a missing row.
    const ProjectionExpression = 'id, keptUin, formerUins';
    const input = { TableName: table, Key, ConsistentRead: true, ProjectionExpression };
    return (await client.send(new GetItemCommand(input))).Item;
  };

export const findUins = (client: DynamoDBClient, table: string) => {
  const read = reader(client, table);
  return {
    /** Returns all UINs of the person who has or had this UIN, even after several merges. */
    async uinsOf(uin: string): Promise<PersonUins> {
      const followed = new Set<string>();
      for (let at = uin; ; ) {
        followed.add(at);
        const person = await read(personKey(at));
        const row = person ?? (await read(formerKey(at)));
        const { keptUin, formerUins = [] } = row === undefined ? {} : fromItem(formerRow, row);
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
