import { type DynamoDBClient, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { type KeyChange, keyNames } from '../../domain/persons/added-indexes.ts';
import { keyAttribute, type PersonIndexes } from '../../domain/persons/person-index.ts';
import type { FoldedAttributes } from '../../domain/persons/plan-search.ts';
import { fromItem, type Item, toItem } from '../dynamo.ts';
import { update } from '../update.ts';
import { foldedRow } from './row-schemas.ts';
import { personIdStart } from './rows.ts';

/** A person with the keys by which it stands in indexes. */
interface Keyed {
  readonly id: string;
  readonly folded: FoldedAttributes;
  readonly keys: Readonly<Record<string, string>>;
}

/** `read` counts the rows that it took; `last` is missing where no page follows. */
interface KeyedPage {
  readonly persons: Keyed[];
  readonly read: number;
  readonly last?: string;
}

const textOf = (row: Item, name: string): [string, string][] => {
  const text = row[name]?.S;
  return text === undefined ? [] : [[name, text]];
};

export const fillIndexes = (client: DynamoDBClient, table: string) => ({
  /** A page of persons, as they are in this moment, in the order of the table. @param after the last id of the page before */
  async keyed(indexes: PersonIndexes, limit: number, after?: string): Promise<KeyedPage> {
    const names = keyNames(indexes);
    const {
      Items = [],
      ScannedCount = 0,
      LastEvaluatedKey,
    } = await client.send(
      new ScanCommand({
        TableName: table,
        ConsistentRead: true,
        Limit: limit,
        FilterExpression: 'begins_with(id, :person)',
        ProjectionExpression: ['id', 'folded', ...names.map((_, index) => `#k${index}`)].join(', '),
        ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#k${index}`, name])),
        ExpressionAttributeValues: { ':person': { S: personIdStart } },
        ...(after === undefined ? {} : { ExclusiveStartKey: { id: { S: after } } }),
      }),
    );
    const last = LastEvaluatedKey?.id?.S;
    const persons = Items.map((row) => ({
      id: row.id?.S ?? '',
      ...fromItem(foldedRow, row),
      keys: Object.fromEntries(names.flatMap((name) => textOf(row, name))),
    }));
    return { persons, read: ScannedCount, ...(last !== undefined && { last }) };
  },
  /** Changes the keys of a person that still is as it was read; who is not, the next pass sees again. */
  async setKeys({ id, folded }: Pick<Keyed, 'id' | 'folded'>, { set, remove }: KeyChange): Promise<void> {
    const unchanged = { condition: '#folded = :folded', names: ['folded'], values: { folded } };
    await update(client, table, toItem({ id }), { set, remove, ...unchanged });
  },
  /** Asks each index for nobody. @throws where one is not there, or not built */
  async probe(indexes: PersonIndexes): Promise<void> {
    for (const [IndexName, { partition }] of Object.entries(indexes)) {
      const asked = {
        KeyConditionExpression: '#key = :nobody',
        ExpressionAttributeNames: { '#key': keyAttribute(partition, 'Key') },
        ExpressionAttributeValues: { ':nobody': { S: '-' } },
      };
      await client.send(new QueryCommand({ TableName: table, IndexName, ...asked, Limit: 1 }));
    }
  },
});
