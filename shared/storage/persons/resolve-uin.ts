import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { fromItem, type Item } from '../dynamo.ts';
import { tombstoneRow } from './row-schemas.ts';
import { personKey, tombstoneKey } from './rows.ts';

/** The current state of a UIN: registered (after a merge, with the kept person's UIN), deleted or unknown. */
type ResolvedUin = { readonly is: 'registered'; readonly uin: string } | { readonly is: 'deleted' | 'unknown' };

export const resolve = (client: DynamoDBClient, table: string) => {
  const read = async (Key: Item, ProjectionExpression: string): Promise<Item | undefined> => {
    const input = { TableName: table, Key, ConsistentRead: true, ProjectionExpression };
    return (await client.send(new GetItemCommand(input))).Item;
  };
  return {
    /** Returns a person's current UIN after any number of merges. @param now epoch milliseconds */
    async resolveUin(uin: string, now: number): Promise<ResolvedUin> {
      const followed = new Set<string>();
      for (let at = uin; !followed.has(at); ) {
        followed.add(at);
        if ((await read(personKey(at), 'id')) !== undefined) return { is: 'registered', uin: at };
        const row = await read(tombstoneKey(at), 'expiresAt, mergedInto');
        const tombstone = row && fromItem(tombstoneRow, row);
        if (tombstone?.mergedInto === undefined || tombstone.expiresAt * 1000 <= now) return { is: 'unknown' };
        if (tombstone.mergedInto === null) return { is: 'deleted' };
        at = tombstone.mergedInto;
      }
      return { is: 'deleted' };
    },
  };
};
