import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../../model/persons/attributes.ts';
import { fromItem } from '../dynamo.ts';
import { personKey, storedPerson } from './rows.ts';

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
        ProjectionExpression: ['uin', ...names.map((_, index) => `attributes.#n${index}`)].join(', '),
        ...(names.length === 0
          ? {}
          : { ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#n${index}`, name])) }),
      }),
    );
    if (Item === undefined) return undefined;
    const row = fromItem(storedPerson, { attributes: { M: {} }, ...Item });
    return { ...row.attributes, uin: row.uin };
  },
});
