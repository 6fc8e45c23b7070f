import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type KeyChange, keyNames } from '../../domain/persons/added-indexes.ts';
import type { IndexState } from '../../domain/persons/index-state.ts';
import { keyAttribute, type PersonIndexes } from '../../domain/persons/person-index.ts';
import type { FoldedAttributes } from '../../domain/persons/plan-search.ts';
import { type DynamoTable, fromItem, queryItems, toItem } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';
import { putIf, update } from '../writes.ts';
import { readIndexState } from './find.ts';
import { foldedRow, indexStateKey, personIdStart } from './rows.ts';

const changeIndexState = (table: DynamoTable) => ({
  ...readIndexState(table),
  /**
   * Writes the state, unless the state has changed since it was read. Returns whether the state was written.
   * @param since the version that was read; undefined if no state was stored
   */
  async putIndexState(state: IndexState, since: string | undefined): Promise<boolean> {
    const unchanged =
      since === undefined
        ? { condition: 'attribute_not_exists(#id)' }
        : { condition: '#version = :since', values: { since } };
    const write = await putIf(table, { ...indexStateKey, ...toItem(state) }, unchanged);
    // An earlier attempt whose response was lost may have written the state.
    return write.isDone || write.stored?.version?.S === state.version;
  },
});

interface Keyed {
  readonly id: string;
  readonly folded: FoldedAttributes;
  readonly keys: Readonly<Record<string, string>>;
}

const fillIndexes = (table: DynamoTable) => ({
  /**
   * Returns a page of persons in table order, and the number of rows that were read. `last` is undefined on the last
   * page.
   * @param after the last id of the previous page
   */
  async keyed(indexes: PersonIndexes, limit: number, after?: string) {
    const scan = new ScanCommand({
      TableName: table.TableName,
      ConsistentRead: true,
      Limit: limit,
      FilterExpression: 'begins_with(id, :person)',
      ProjectionExpression: ['id', 'folded', ...keyNames(indexes)].join(', '),
      ExpressionAttributeValues: { ':person': { S: personIdStart } },
      ...(after === undefined ? {} : { ExclusiveStartKey: { id: { S: after } } }),
    });
    const { Items = [], ScannedCount = 0, LastEvaluatedKey } = await table.client.send(scan);
    const persons = Items.map((row): Keyed => {
      const { id, folded: _, ...keys } = row;
      return { id: id?.S ?? '', ...fromItem(foldedRow, row), keys: unmarshall(keys) };
    });
    return { persons, read: ScannedCount, last: LastEvaluatedKey?.id?.S };
  },
  /** Changes the index keys of a person, unless the person has changed. The next pass checks changed persons again. */
  async setKeys({ id, folded }: Pick<Keyed, 'id' | 'folded'>, { set, remove }: KeyChange): Promise<void> {
    const unchanged = { condition: '#folded = :folded', values: { folded } };
    await update(table, toItem({ id }), { set, remove, ...unchanged });
  },
  /** Sends a query without matches to each index. @throws if an index is missing or not built */
  async probe(indexes: PersonIndexes): Promise<void> {
    for (const [IndexName, { partition }] of Object.entries(indexes)) {
      const input = {
        KeyConditionExpression: `${keyAttribute(partition, 'Key')} = :none`,
        ExpressionAttributeValues: { ':none': { S: '-' } },
      };
      await queryItems(table, { IndexName, ...input, Limit: 1 });
    }
  },
});

/** Fills the search indexes of persons. The bundles of operations do not contain this separate store. */
export const indexing = tableStore('indexing', { fill: fillIndexes, change: changeIndexState });
