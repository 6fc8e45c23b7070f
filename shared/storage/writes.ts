import {
  DeleteItemCommand,
  PutItemCommand,
  type ReturnValue,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type DynamoTable, type Item, toItem, unlessConflict } from './dynamo.ts';

interface Condition {
  /** A condition that refers to attributes as `#name` and to `values` as `:name`. */
  readonly condition: string;
  readonly values?: Readonly<Record<string, unknown>>;
  /** The attributes whose placeholders have other names. */
  readonly names?: Readonly<Record<string, string>>;
}

/** `set`, `compute` and `remove` contain the names of attributes, or paths such as `requests.#hash.#isUnsent`. */
export interface Change extends Condition {
  readonly set?: Readonly<Record<string, unknown>>;
  /** The attributes to set to the value of an expression, such as `if_not_exists(#activeSince, :now)`. */
  readonly compute?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
  readonly returns?: ReturnValue;
}

/** Builds the update expression with placeholders for all attributes and values. */
export function updateOf({ set = {}, compute = {}, remove = [], condition, values = {}, names = {} }: Change) {
  const [sets, given]: [string[], Record<string, unknown>] = [[], {}];
  for (const [path, value] of Object.entries(set)) {
    if (value === undefined) continue;
    const placeholder = `:set_${path.replace(/\W+/g, '_')}`;
    sets.push(`#${path} = ${placeholder}`);
    given[placeholder] = value;
  }
  for (const [path, expression] of Object.entries(compute)) sets.push(`#${path} = ${expression}`);
  for (const [name, value] of Object.entries(values)) given[`:${name}`] = value;
  const UpdateExpression = [
    ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
    ...(remove.length > 0 ? [`REMOVE #${remove.join(', #')}`] : []),
  ].join(' ');
  const ExpressionAttributeNames: Record<string, string> = {};
  for (const name of `${UpdateExpression} ${condition}`.match(/#\w+/g) ?? [])
    ExpressionAttributeNames[name] = names[name.slice(1)] ?? name.slice(1);
  return {
    UpdateExpression,
    ConditionExpression: condition,
    ExpressionAttributeNames,
    ...(Object.keys(given).length > 0 && { ExpressionAttributeValues: toItem(given) }),
  };
}

/** Builds a condition with placeholders for all attributes and values. */
export function conditionOf(condition: Condition) {
  const { UpdateExpression: _, ...expressions } = updateOf(condition);
  return expressions;
}

/** Requests the existing row if the condition of a write fails. */
export const returnsExisting = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** Writes a row if the condition is true; otherwise returns the existing row. */
export function putIf({ client, TableName }: DynamoTable, row: Item, condition: Condition) {
  const put = new PutItemCommand({ TableName, Item: row, ...conditionOf(condition), ...returnsExisting });
  return unlessConflict(client.send(put));
}

/** Deletes a row if the condition is true. Returns whether the row was deleted. */
export async function deleteIf({ client, TableName }: DynamoTable, Key: Item, condition: Condition) {
  const removal = new DeleteItemCommand({ TableName, Key, ...conditionOf(condition) });
  return (await unlessConflict(client.send(removal))).isDone;
}

/** Changes a row if the condition is true. Returns whether the row was changed. */
export const updateIf = async (table: DynamoTable, key: Item, change: Change): Promise<boolean> =>
  (await update(table, key, change)).isDone;

/** Changes a row if the condition is true; otherwise returns the existing row. */
export function update({ client, TableName }: DynamoTable, Key: Item, change: Change) {
  const expressions = { ...updateOf(change), ReturnValues: change.returns, ...returnsExisting };
  return unlessConflict(client.send(new UpdateItemCommand({ TableName, Key, ...expressions })));
}

/**
 * Writes all items or none. Returns the indexes of the items whose conditions failed, each with the existing row if the
 * item requested that row.
 */
export async function transact(
  { client }: Pick<DynamoTable, 'client'>,
  items: TransactWriteItem[],
): Promise<{ isDone: true } | { isDone: false; failed: ReadonlyMap<number, Item | undefined> }> {
  try {
    await client.send(new TransactWriteItemsCommand({ TransactItems: items }));
    return { isDone: true };
  } catch (error) {
    const reasons = (error instanceof TransactionCanceledException && error.CancellationReasons) || [];
    const conflicts = reasons.entries().filter(([, { Code }]) => Code === 'ConditionalCheckFailed');
    const failed = new Map(conflicts.map(([index, { Item }]) => [index, Item]));
    if (failed.size === 0) throw error;
    return { isDone: false, failed };
  }
}
