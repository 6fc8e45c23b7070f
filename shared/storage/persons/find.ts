import { type DynamoDBClient, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { FoldedAttributes, SearchPlan } from '../../domain/persons/plan-search.ts';
import { type Item, readRow, toItem } from '../dynamo.ts';
import { readIndexState } from './fill-indexes.ts';
import { foldedRow } from './row-schemas.ts';
import { personIdStart, personKey } from './rows.ts';

interface FoundPage {
  readonly uins: string[];
  readonly read: number;
  readonly next: Item | undefined;
}

const isEqual = (folded: FoldedAttributes, wanted: FoldedAttributes): boolean =>
  Object.entries(wanted).every(([name, value]) => folded[name] === value);

function filterOf(rest: FoldedAttributes) {
  const entries = Object.entries(rest);
  return {
    conditions: entries.map((_, index) => `folded.#f${index} = :f${index}`),
    names: Object.fromEntries(entries.map(([name], index) => [`#f${index}`, name])),
    values: toItem(Object.fromEntries(entries.map(([, value], index) => [`:f${index}`, value]))),
  };
}

export const find = (client: DynamoDBClient, table: string) => {
  async function byUin(uin: string, rest: FoldedAttributes): Promise<FoundPage> {
    const row = await readRow(foldedRow, client, table, personKey(uin), { ProjectionExpression: 'folded' });
    const isFound = row !== undefined && isEqual(row.folded, rest);
    return { uins: isFound ? [uin] : [], read: row ? 1 : 0, next: undefined };
  }

  return {
    ...readIndexState(client, table),
    /**
     * Reads at most 1 MB, and returns a page of matching persons in no particular order.
     * @param from `next` of the previous page
     */
    async page(plan: SearchPlan, from?: Item): Promise<FoundPage> {
      if (plan.by === 'uin') return byUin(plan.uin, plan.rest);
      const filter = filterOf(plan.rest);
      const isPerson = { condition: 'begins_with(id, :person)', values: { ':person': { S: personIdStart } } };
      const conditions = plan.by === 'scan' ? [isPerson.condition, ...filter.conditions] : filter.conditions;
      const keys = plan.by === 'index' ? Object.entries(plan.keys) : [];
      const names = { ...filter.names, ...Object.fromEntries(keys.map(([name], index) => [`#k${index}`, name])) };
      const values = {
        ...filter.values,
        ...(plan.by === 'scan' ? isPerson.values : {}),
        ...Object.fromEntries(keys.map(([, value], index) => [`:k${index}`, { S: value }])),
      };
      const input = {
        TableName: table,
        ProjectionExpression: 'id',
        ...(conditions.length === 0 ? {} : { FilterExpression: conditions.join(' AND ') }),
        ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
        ExpressionAttributeValues: values,
        ...(from === undefined ? {} : { ExclusiveStartKey: from }),
      };
      const condition = keys.map((_, index) => `#k${index} = :k${index}`).join(' AND ');
      const command =
        plan.by === 'scan'
          ? client.send(new ScanCommand(input))
          : client.send(new QueryCommand({ ...input, IndexName: plan.index, KeyConditionExpression: condition }));
      const { Items = [], ScannedCount = 0, LastEvaluatedKey } = await command;
      return { uins: Items.map((item) => uinOf(item)), read: ScannedCount, next: LastEvaluatedKey };
    },
  };
};

const uinOf = (item: Item): string => (item.id?.S ?? '').slice(personIdStart.length);
