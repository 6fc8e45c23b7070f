import { type AttributeValue, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  letrec,
  oneof,
  option,
  record,
  tuple,
} from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { useDynamodb } from '../../harness/embedded.ts';
import { MemoryDynamodb } from './memory-dynamodb.ts';

const embedded = useDynamodb();
const memory = new MemoryDynamodb({ now: () => Date.now() });
let table: string;
beforeAll(async () => {
  table = await embedded.createTable('topics');
  memory.createTable('topics', table);
});

type Value = AttributeValue;
const texts = constantFrom('', 'a', 'ab', 'b', 'é');
const numbers = integer({ min: -3, max: 12 }).map(String);
const plain: Arbitrary<Value> = oneof(
  texts.map((S) => ({ S })),
  numbers.map((N) => ({ N })),
  boolean().map((BOOL) => ({ BOOL })),
);
const { value } = letrec<{ value: Value }>((tie) => ({
  value: oneof(
    { maxDepth: 2 },
    plain,
    array(tie('value'), { maxLength: 3 }).map((L) => ({ L })),
    record({ x: tie('value'), y: tie('value') }, { requiredKeys: [] }).map((M) => ({ M: M as Record<string, Value> })),
  ),
}));
const item = record({ a: value, b: value, n: numbers.map((N) => ({ N })), m: value, l: value }, { requiredKeys: [] });

const paths = constantFrom('a', 'b', 'n', 'm', 'l', '#a', 'm.x', 'm.#y', 'm.x.x');
const operands = oneof(paths, paths, constantFrom(':t', ':n'));
const tests: Arbitrary<string> = oneof(
  tuple(operands, constantFrom('=', '<>', '<', '<=', '>', '>='), operands).map((parts) => parts.join(' ')),
  tuple(paths, paths, constantFrom(':t', ':n')).map(([path, low, high]) => `${path} BETWEEN ${low} AND ${high}`),
  tuple(paths, array(operands, { minLength: 1, maxLength: 3 })).map(
    ([path, list]) => `${path} IN (${list.join(', ')})`,
  ),
  tuple(constantFrom('attribute_exists', 'attribute_not_exists'), paths).map(([name, path]) => `${name}(${path})`),
  paths.map((path) => `begins_with(${path}, :t)`),
  tuple(paths, constantFrom('=', '<', '>'), constantFrom(':n')).map(
    ([path, by, than]) => `size(${path}) ${by} ${than}`,
  ),
);
const { condition } = letrec<{ condition: string }>((tie) => ({
  condition: oneof(
    { maxDepth: 3 },
    tests,
    tuple(tie('condition'), constantFrom('AND', 'OR'), tie('condition')).map(([a, by, b]) => `(${a}) ${by} ${b}`),
    tie('condition').map((one) => `NOT ${one}`),
  ),
}));

const sets = oneof(
  tuple(paths, operands).map(([to, from]) => `${to} = ${from}`),
  tuple(paths, paths, operands).map(([to, path, other]) => `${to} = if_not_exists(${path}, ${other})`),
);
const clause = (name: string, actions: Arbitrary<string>): Arbitrary<string> =>
  option(
    array(actions, { minLength: 1, maxLength: 2 }).map((all) => `${name} ${all.join(', ')}`),
    { nil: '' },
  );
const added = constantFrom('a', 'b', 'n', 'zz').map((name) => `${name} :n`);
// Contains only whole attributes. DynamoDB refuses to remove a part of a missing attribute, but the embedded DynamoDB
// does not.
const removed = constantFrom('a', 'b', 'n', 'm', 'l', '#a');
const update = tuple(clause('SET', sets), clause('REMOVE', removed), clause('ADD', added))
  .map((clauses) => clauses.filter((one) => one !== '').join(' '))
  .filter((text) => text !== '');

const texted = texts.map((S) => ({ S }));
const counted = numbers.map((N) => ({ N }));
const given = record({
  ':t': texted,
  ':n': counted,
});
const names = { '#a': 'a', '#y': 'y' } as const;
const mentioned = <Given extends object>(given: Given, text: string): { [name: string]: Given[keyof Given] } =>
  Object.fromEntries(Object.entries(given).filter(([name]) => new RegExp(`${name}\\b`).test(text)));
const unlessEmpty = (name: string, given: object) => (Object.keys(given).length === 0 ? {} : { [name]: given });

/** Returns the response to a request, or the name of the error. */
async function outcome(send: Promise<object>): Promise<unknown> {
  try {
    const { $metadata: _, ...output } = (await send) as { $metadata?: unknown };
    return output;
  } catch (error) {
    return (error as Error).name;
  }
}

describe('the simulated DynamoDB', () => {
  it('the simulated DynamoDB returns the same results as the embedded DynamoDB for random updates', async () => {
    const request = record({ item, values: given, condition: option(condition), update });
    let done = 0;
    const same = asyncProperty(request, async ({ item, values, condition, update }) => {
      const uuid = { uuid: { S: `u${done++}` } };
      const text = `${condition ?? ''} ${update}`;
      const asked = {
        ...{ TableName: table, Key: uuid, UpdateExpression: update, ReturnValues: 'ALL_NEW' as const },
        ...(condition === null ? {} : { ConditionExpression: condition }),
        ...unlessEmpty('ExpressionAttributeNames', mentioned(names, text)),
        ...unlessEmpty('ExpressionAttributeValues', mentioned(values, text)),
      };
      const put = { TableName: table, Item: { ...item, ...uuid } as Record<string, Value> };
      await embedded.client.send(new PutItemCommand(put));
      await memory.execute('PutItem', put);
      const theirs = await outcome(embedded.client.send(new UpdateItemCommand(asked)));
      expect(await outcome(memory.execute('UpdateItem', asked))).toEqual(theirs);
    });
    await assert(same, { numRuns: 300 });
  });
});
