import { QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { type IndexState, indexState } from '../../domain/persons/index-state.ts';
import type { FoldedAttributes, SearchPlan } from '../../domain/persons/plan-search.ts';
import { type DynamoTable, type Item, readRow, toItem } from '../dynamo.ts';
import { foldedRow, formerKey, formerRow, indexStateKey, personIdStart, personKey, retiredKey } from './rows.ts';

export const readIndexState = (table: DynamoTable) => ({
  indexState: (): Promise<IndexState | undefined> => readRow(indexState, table, indexStateKey),
});

const isEqual = (folded: FoldedAttributes, wanted: FoldedAttributes): boolean =>
  Object.entries(wanted).every(([name, value]) => folded[name] === value);

async function byUin(table: DynamoTable, uin: string, rest: FoldedAttributes) {
  const row = await readRow(foldedRow, table, personKey(uin), { ProjectionExpression: 'folded' });
  const isFound = row !== undefined && isEqual(row.folded, rest);
  return { uins: isFound ? [uin] : [], read: row ? 1 : 0, next: undefined };
}

export const find = (table: DynamoTable) => ({
  ...readIndexState(table),
  /**
   * Reads at most 1 MB, and returns a page of matching persons in no particular order.
   * @param from `next` of the previous page
   */
  async page(plan: SearchPlan, from?: Item) {
    if (plan.by === 'uin') return byUin(table, plan.uin, plan.rest);
    const filters = Object.entries(plan.rest);
    const keys = plan.by === 'index' ? Object.entries(plan.keys) : [];
    const conditions = [
      ...(plan.by === 'scan' ? ['begins_with(id, :person)'] : []),
      ...filters.map((_, index) => `folded.#f${index} = :f${index}`),
    ];
    const values = Object.fromEntries([
      ...(plan.by === 'scan' ? [[':person', personIdStart]] : []),
      ...filters.map(([, value], index) => [`:f${index}`, value]),
      ...keys.map(([name, key]) => [`:${name}`, key]),
    ]);
    const input = {
      TableName: table.TableName,
      ProjectionExpression: 'id',
      ...(conditions.length > 0 && { FilterExpression: conditions.join(' AND ') }),
      ...(filters.length > 0 && {
        ExpressionAttributeNames: Object.fromEntries(filters.map(([name], index) => [`#f${index}`, name])),
      }),
      ExpressionAttributeValues: toItem(values),
      ExclusiveStartKey: from,
    };
    const condition = keys.map(([name]) => `${name} = :${name}`).join(' AND ');
    const command =
      plan.by === 'scan'
        ? table.client.send(new ScanCommand(input))
        : table.client.send(new QueryCommand({ ...input, IndexName: plan.index, KeyConditionExpression: condition }));
    const { Items = [], ScannedCount = 0, LastEvaluatedKey } = await command;
    const uins = Items.map(({ id }) => (id?.S ?? '').slice(personIdStart.length));
    return { uins, read: ScannedCount, next: LastEvaluatedKey };
  },
});

interface PersonUins {
  /** The person's current UIN, or the last UIN of a removed person, followed by the former UINs. */
  readonly uins: readonly [string, ...string[]];
  readonly isRegistered: boolean;
}

const reader = (table: DynamoTable) => (Key: Item) =>
  // `id` distinguishes a row without the other attributes from a missing row.
  readRow(formerRow, table, Key, { ProjectionExpression: 'id, keptUin, formerUins' });

export const findUins = (table: DynamoTable) => {
  const read = reader(table);
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

export const resolve = (table: DynamoTable) => ({
  /** Returns the state of the person who has or had this UIN; `unknown` if there is no such person. */
  async stateOf(uin: string, uinHash: string): Promise<'registered' | 'deleted' | 'unknown'> {
    const { isRegistered } = await findUins(table).uinsOf(uin);
    if (isRegistered) return 'registered';
    return (await reader(table)(retiredKey(uinHash))) === undefined ? 'unknown' : 'deleted';
  },
});
