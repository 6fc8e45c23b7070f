import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { fromItem, type Item } from '../dynamo.ts';
import { goneRow } from './row-schemas.ts';
import { goneKey, personKey } from './rows.ts';

/** What has become of somebody: in the registry, by now under this UIN; removed; or nobody knows. */
export type Whereabouts = { readonly is: 'there'; readonly uin: string } | { readonly is: 'gone' | 'unknown' };

export const follow = (client: DynamoDBClient, table: string) => {
  const read = async (Key: Item, ProjectionExpression: string): Promise<Item | undefined> => {
    const asked = { TableName: table, Key, ConsistentRead: true, ProjectionExpression };
    return (await client.send(new GetItemCommand(asked))).Item;
  };
  return {
    /** Where somebody is, also one who was merged with another, and that one with the next. `now`: epoch milliseconds. */
    async whereabouts(uin: string, now: number): Promise<Whereabouts> {
      const followed = new Set<string>();
      for (let at = uin; !followed.has(at); ) {
        followed.add(at);
        if ((await read(personKey(at), 'id')) !== undefined) return { is: 'there', uin: at };
        const row = await read(goneKey(at), 'expiresAt, mergedInto');
        const gone = row && fromItem(goneRow, row);
        // DynamoDB removes expired rows late.
        if (gone?.mergedInto === undefined || gone.expiresAt * 1000 <= now) return { is: 'unknown' };
        if (gone.mergedInto === null) return { is: 'gone' };
        at = gone.mergedInto;
      }
      return { is: 'gone' };
    },
  };
};
