import type {
  BatchGetItemCommandInput,
  BatchGetItemCommandOutput,
  GetItemCommandInput,
  GetItemCommandOutput,
  KeysAndAttributes,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../shared/storage/dynamo.ts';
import type { Charge } from './capacity.ts';
import { compileProjection } from './expressions/compiled.ts';
import { checkMentions } from './expressions/paths.ts';
import { project } from './expressions/projections.ts';
import { invalid } from './expressions/validation-error.ts';
import { itemSize, readUnits } from './item-size.ts';
import { rowName } from './memory-table.ts';
import { $metadata, type Tables } from './tables.ts';
import { bindingsOf, type Expressions } from './writes.ts';

interface Projecting extends Expressions {
  readonly ProjectionExpression?: string | undefined;
}

/** Returns a function that projects an item according to the request. */
export function viewOf(request: Projecting): (item: Item) => Item {
  if (request.ProjectionExpression === undefined) return (item) => item;
  const projection = compileProjection(request.ProjectionExpression);
  const bindings = bindingsOf(request);
  return (item) => project(projection.paths, item, bindings);
}

function checkProjection(request: Projecting): void {
  const mentions = request.ProjectionExpression === undefined ? [] : [compileProjection(request.ProjectionExpression)];
  checkMentions('ProjectionExpression', mentions, bindingsOf(request));
}

export function getItem(tables: Tables, input: GetItemCommandInput): GetItemCommandOutput {
  const table = tables.table(input.TableName);
  checkProjection(input);
  const key = table.keyOf(input.Key, true);
  const isConsistent = input.ConsistentRead === true;
  const item = tables.read(table, key, isConsistent);
  tables.take([readCharge(table.name, key.partition, item, isConsistent)]);
  return { $metadata, ...(item && { Item: viewOf(input)(item) }) };
}

/** Returns the charge for reading an item by its key, even if the item does not exist. */
const readCharge = (table: string, key: string, item: Item | undefined, isConsistent: boolean): Charge => ({
  ...{ table, index: undefined, key, of: 'reads' },
  units: readUnits(item === undefined ? 0 : itemSize(item), isConsistent),
});

// BatchGetItem returns at most 16 MB and accepts at most 100 keys.
const maxBatchBytes = 16 * 1024 * 1024;
const maxBatchKeys = 100;

export function batchGetItem(
  tables: Tables,
  { RequestItems = {} }: BatchGetItemCommandInput,
): BatchGetItemCommandOutput {
  const wanted = Object.entries(RequestItems);
  const count = wanted.reduce((sum, [, { Keys = [] }]) => sum + Keys.length, 0);
  if (count === 0 || wanted.some(([, { Keys = [] }]) => Keys.length === 0))
    throw invalid('The batch get request list cannot be empty');
  if (count > maxBatchKeys) throw invalid('Too many items requested for the BatchGetItem call');
  const Responses: Record<string, Item[]> = {};
  const UnprocessedKeys: Record<string, KeysAndAttributes> = {};
  let bytes = 0;
  let last: Charge | undefined;
  for (const [name, request] of wanted) {
    const table = tables.table(name);
    const { Keys = [], ConsistentRead: isConsistent = false } = request;
    checkProjection(request);
    const view = viewOf(request);
    const keys = Keys.map((one) => table.keyOf(one, true));
    if (new Set(keys.map(rowName)).size < keys.length) throw invalid('Provided list of item keys contains duplicates');
    const [found, left]: [Item[], Item[]] = [[], []];
    for (const [index, key] of keys.entries()) {
      const item = tables.read(table, key, isConsistent);
      const isLeft = bytes > maxBatchBytes || tables.options.leavesRow?.() === true;
      const exceeded = isLeft ? 'full' : tables.exceeded([readCharge(name, key.partition, item, isConsistent)]);
      if (exceeded !== undefined) {
        left.push(Keys[index] as Item);
        if (exceeded !== 'full') last = exceeded;
      } else if (item !== undefined) {
        bytes += itemSize(item);
        found.push(view(item));
      }
    }
    Responses[name] = found;
    if (left.length > 0) UnprocessedKeys[name] = { ...request, Keys: left };
    if (left.length === count && last) tables.throttle(last);
  }
  return { $metadata, Responses, UnprocessedKeys };
}
