import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../../domain/persons/attributes.ts';
import { personKey, projectionOf, readPersonRow } from './rows.ts';

export const read = (client: DynamoDBClient, table: string) => ({
  /**
   * The given attributes of a person, as far as the person has them, with `uin`; undefined when there is no such person.
   * One read by key that fetches nothing else.
   */
  async get(uin: string, names: readonly string[]): Promise<Attributes | undefined> {
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: table,
        Key: personKey(uin),
        // Consistent: a person is read in the moment after the registration.
        ConsistentRead: true,
        ...projectionOf(names),
      }),
    );
    return Item === undefined ? undefined : readPersonRow(Item);
  },
});
