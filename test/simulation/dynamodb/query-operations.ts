import type {
  QueryCommandInput,
  QueryCommandOutput,
  ScanCommandInput,
  ScanCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../shared/storage/dynamo.ts';
import { compileFilter, compileKeyCondition, compileProjection } from './expressions/compiled.ts';
import { checkMentions } from './expressions/paths.ts';
import { invalid } from './expressions/validation-error.ts';
import { orderKey } from './expressions/values.ts';
import { hashOf } from './hash.ts';
import { itemSize, maxPageBytes, readUnits } from './item-size.ts';
import { keyRange } from './key-conditions.ts';
import { viewOf } from './read-operations.ts';
import type { SortedMap } from './sorted-map.ts';
import { $metadata, type Tables, type TablesOptions } from './tables.ts';
import { bindingsOf } from './writes.ts';

type Input = QueryCommandInput & ScanCommandInput;

/** Returns the table or index that a Query or Scan reads. */
function sourceOf(tables: Tables, { TableName, IndexName, ConsistentRead }: Input) {
  const table = tables.table(TableName);
  if (IndexName === undefined) {
    const placeOf = (item: Item): string =>
      table.schema.sort === undefined ? '' : orderKey(item[table.schema.sort]?.S ?? '');
    return {
      table,
      index: undefined,
      keys: table.schema,
      of: (key: string) => table.partition(key),
      all: () => table.partitionKeys(),
      placeOf,
    };
  }
  const index = table.indexes.get(IndexName);
  if (index === undefined) throw invalid(`The table does not have the specified index: ${IndexName}`);
  if (ConsistentRead === true) throw invalid('Consistent reads are not supported on global secondary indexes');
  index.catchUp(tables.options.now());
  return {
    table,
    index,
    keys: index.schema,
    of: (key: string) => index.partitions.get(key),
    all: () => index.partitions.keys(),
    placeOf: (item: Item) => index.placeOf(item),
  };
}
type Source = ReturnType<typeof sourceOf>;

/** Returns the key from which the next request continues. */
function startKey({ table, index }: Source, item: Item): Item {
  const names = [
    ...table.keyNames,
    ...(index ? [index.schema.partition, ...(index.schema.sort ? [index.schema.sort] : [])] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, item[name] as Item[string]]));
}

/**
 * Returns functions that collect the items of a page. The limits apply to the items that are read, including items that
 * the filter then excludes.
 */
function pageOf(source: Source, input: Input, { endsPage = () => false }: TablesOptions) {
  const { Limit = Number.POSITIVE_INFINITY, FilterExpression, Select } = input;
  if (Limit < 1) throw invalid('Limit must be greater than or equal to 1');
  const bindings = bindingsOf(input);
  const filter = FilterExpression === undefined ? undefined : compileFilter(FilterExpression);
  const view = viewOf(input);
  const Items: Item[] = [];
  let [count, scanned, bytes] = [0, 0, 0];
  let last: Item | undefined;
  return {
    /** Adds an item. Returns false if the page is full. */
    add(item: Item): boolean {
      scanned += 1;
      bytes += itemSize(item);
      if (filter === undefined || filter.matches(item, bindings)) {
        count += 1;
        if (Select !== 'COUNT') Items.push(view(item));
      }
      if (scanned < Limit && bytes < maxPageBytes && !endsPage()) return true;
      last = item;
      return false;
    },
    finish: (tables: Tables, key: string) => {
      const units = readUnits(bytes, input.ConsistentRead === true);
      tables.take([{ table: source.table.name, index: source.index?.name, key, of: 'reads', units }]);
      const next = last && { LastEvaluatedKey: startKey(source, last) };
      return { $metadata, ...(Select === 'COUNT' ? {} : { Items }), Count: count, ScannedCount: scanned, ...next };
    },
  };
}

function check(input: Input): void {
  const { KeyConditionExpression, FilterExpression, ProjectionExpression } = input;
  const mentions = [
    ...(KeyConditionExpression === undefined ? [] : [compileKeyCondition(KeyConditionExpression)]),
    ...(FilterExpression === undefined ? [] : [compileFilter(FilterExpression)]),
    ...(ProjectionExpression === undefined ? [] : [compileProjection(ProjectionExpression)]),
  ];
  checkMentions(
    KeyConditionExpression === undefined ? 'FilterExpression' : 'KeyConditionExpression',
    mentions,
    bindingsOf(input),
  );
}

export function query(tables: Tables, input: QueryCommandInput): QueryCommandOutput {
  const source = sourceOf(tables, input);
  check(input);
  if (input.KeyConditionExpression === undefined)
    throw invalid('Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.');
  const parsed = compileKeyCondition(input.KeyConditionExpression);
  const range = keyRange(parsed.condition, source.keys, bindingsOf(input));
  const page = pageOf(source, input, tables.options);
  const rows: SortedMap<Item> | undefined = source.of(range.partition);
  const start = input.ExclusiveStartKey && source.placeOf(input.ExclusiveStartKey);
  // An index position is the sort key of the entry, followed by the keys of the row.
  const sortOf = (place: string): string => (source.index === undefined ? place : place.slice(0, place.indexOf('\0')));
  if (start !== undefined && !range.holds(sortOf(start)))
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  const isUp = input.ScanIndexForward !== false;
  const visit = (item: Item, place: string): boolean => {
    if (place === start) return true;
    const isIn = range.holds(sortOf(place));
    if (isIn) return page.add(item);
    return isUp ? range.below === undefined || place < range.below : place >= range.from;
  };
  if (isUp) rows?.up(start !== undefined && start > range.from ? start : range.from, visit);
  else
    rows?.down(start !== undefined && (range.below === undefined || start < range.below) ? start : range.below, visit);
  return page.finish(tables, range.partition);
}

/** Returns the partition keys in the order in which a Scan reads them: sorted by their hashes. */
const scanOrder = (keys: Iterable<string>): string[] => {
  const hashed = Array.from(keys, (key) => ({ key, hash: hashOf(key) }));
  return hashed.sort((a, b) => a.hash - b.hash || (a.key < b.key ? -1 : 1)).map(({ key }) => key);
};

export function scan(tables: Tables, input: ScanCommandInput): ScanCommandOutput {
  const source = sourceOf(tables, input);
  check(input);
  const { ExclusiveStartKey } = input;
  const page = pageOf(source, input, tables.options);
  const order = scanOrder(source.all());
  const startPartition = ExclusiveStartKey?.[source.keys.partition]?.S;
  const start = ExclusiveStartKey && source.placeOf(ExclusiveStartKey);
  const from = startPartition === undefined ? 0 : order.findIndex((key) => !isBefore(key, startPartition));
  let isOpen = from >= 0;
  for (let at = Math.max(0, from); isOpen && at < order.length; at += 1) {
    const key = order[at] as string;
    const isFirst = key === startPartition;
    source.of(key)?.up(isFirst ? (start ?? '') : '', (item, place) => {
      if (isFirst && (place === start || (source.table.schema.sort === undefined && source.index === undefined)))
        return true;
      isOpen = page.add(item);
      return isOpen;
    });
  }
  return page.finish(tables, startPartition ?? order[0] ?? '');
}

const isBefore = (key: string, other: string): boolean => {
  const [a, b] = [hashOf(key), hashOf(other)];
  return a === b ? key < other : a < b;
};
