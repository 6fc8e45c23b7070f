import type { ReturnValuesOnConditionCheckFailure } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../shared/storage/dynamo.ts';
import { applyUpdate, checkOverlap } from './expressions/apply.ts';
import { compileCondition, compileUpdate } from './expressions/compiled.ts';
import { type Bindings, bound, checkMentions } from './expressions/paths.ts';
import { invalid } from './expressions/validation-error.ts';
import type { Value } from './expressions/values.ts';
import type { Change, MemoryTable } from './memory-table.ts';

export interface Expressions {
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Record<string, Value> | undefined;
}

export interface WriteRequest extends Expressions {
  readonly TableName: string | undefined;
  readonly Item?: Item | undefined;
  readonly Key?: Item | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure | undefined;
}

/** The effect that a write has on the current row. */
export interface Plan {
  readonly change: Change;
  readonly hasFailed: boolean;
  /** The current row, if the condition failed and the request asks for the row in the error. */
  readonly existing: Item | undefined;
}

const none = {};

/** Returns the names and values that a request assigns to placeholders such as `#name` and `:value`. */
export const bindingsOf = ({ ExpressionAttributeNames, ExpressionAttributeValues }: Expressions): Bindings => ({
  names: ExpressionAttributeNames ?? none,
  values: ExpressionAttributeValues ?? none,
});

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/**
 * Validates a write. Returns the row's key and the parsed expressions.
 * @throws ValidationException
 */
export function locate(kind: WriteKind, table: MemoryTable, request: WriteRequest) {
  const key = kind === 'Put' ? table.keyOf(request.Item, false) : table.keyOf(request.Key, true);
  const { ConditionExpression, UpdateExpression } = request;
  const condition = ConditionExpression === undefined ? undefined : compileCondition(ConditionExpression);
  const update = UpdateExpression === undefined ? undefined : compileUpdate(UpdateExpression);
  const bindings = bindingsOf(request);
  const mentions = [...(condition ? [condition] : []), ...(update ? [update] : [])];
  checkMentions(update === undefined ? 'ConditionExpression' : 'UpdateExpression', mentions, bindings);
  if (update !== undefined) checkOverlap(update.actions.map(({ path }) => bound(path, bindings)));
  const changed = update?.actions.find(({ path }) => {
    const [first] = path;
    return table.keyNames.includes(bindings.names[first as string] ?? (first as string));
  });
  if (changed !== undefined)
    throw invalid(
      `One or more parameter values were invalid: Cannot update attribute ${bindings.names[changed.path[0] as string] ?? changed.path[0]}. This attribute is part of the key`,
    );
  return { key, condition, update, bindings };
}

/** Returns the effect of a write on the current row without applying it. */
export function planWrite(kind: WriteKind, table: MemoryTable, request: WriteRequest): Plan {
  const { key, condition, update, bindings } = locate(kind, table, request);
  const before = table.get(key);
  const hasFailed = condition !== undefined && !condition.matches(before, bindings);
  if (hasFailed) {
    const existing = request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? before : undefined;
    return { change: { table, key, before, after: before }, hasFailed, existing };
  }
  const made = { existing: undefined, hasFailed };
  if (kind === 'Delete') return { change: { table, key, before, after: undefined }, ...made };
  if (kind === 'ConditionCheck') return { change: { table, key, before, after: before }, ...made };
  if (kind === 'Put') {
    const after = request.Item as Item;
    table.check(after, 'Item size has exceeded the maximum allowed size');
    return { change: { table, key, before, after }, ...made };
  }
  const item = applyUpdate(update?.actions ?? [], before ?? { ...request.Key }, bindings);
  table.check(item, 'Item size to update has exceeded the maximum allowed size');
  return { change: { table, key, before, after: item }, ...made };
}
