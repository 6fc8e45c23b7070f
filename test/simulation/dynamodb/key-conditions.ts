import type { Condition, Operand } from './expressions/conditions.ts';
import { type Bindings, nameOf } from './expressions/paths.ts';
import { invalid } from './expressions/validation-error.ts';
import { orderKey } from './expressions/values.ts';

/** The rows of one partition that a Query selects. `from` and `below` are encoded sort keys from `orderKey`. */
interface KeyRange {
  readonly partition: string;
  readonly from: string;
  /** The exclusive end of the range, or undefined for the end of the partition. */
  readonly below: string | undefined;
  readonly holds: (sort: string) => boolean;
}

type Test = Condition & { is: 'compare' | 'between' | 'test' };

const invalidCondition = (why: string) => invalid(`Invalid KeyConditionExpression: ${why}`);

const conjuncts = (condition: Condition): Condition[] =>
  condition.is === 'and' ? [...conjuncts(condition.left), ...conjuncts(condition.right)] : [condition];

function nameIn(operand: Operand, bindings: Bindings): string {
  if (operand.is !== 'path' || operand.path.length !== 1) throw invalidCondition('a key must be on the left');
  return nameOf(operand.path[0] as string, bindings);
}

function textOf(operand: Operand | undefined, { values }: Bindings): string {
  const text = operand?.is === 'value' ? values[operand.name]?.S : undefined;
  if (text === undefined) throw invalid('a key must be compared with a string value');
  return text;
}

const attributeOf = (test: Test, bindings: Bindings): string =>
  nameIn(test.is === 'compare' ? test.left : test.operand, bindings);

// Returns a string that sorts after all entries with the given sort key and before longer sort keys.
const after = (text: string): string => `${text}\u0001`;
const afterAll = (prefix: string): string => `${prefix}\uffff\uffff`;

type Range = Omit<KeyRange, 'partition'>;

function rangeOf(test: Test, bindings: Bindings): Range {
  if (test.is === 'between') {
    const [low, high] = [orderKey(textOf(test.low, bindings)), orderKey(textOf(test.high, bindings))];
    if (low > high)
      throw invalidCondition('The BETWEEN operator requires upper bound to be greater than or equal to lower bound');
    return { from: low, below: after(high), holds: (sort) => sort >= low && sort <= high };
  }
  if (test.is === 'test') {
    if (test.test !== 'begins_with')
      throw invalidCondition(`Invalid operator used in KeyConditionExpression: ${test.test}`);
    const start = orderKey(textOf(test.with, bindings));
    return { from: start, below: afterAll(start), holds: (sort) => sort.startsWith(start) };
  }
  const text = orderKey(textOf(test.right, bindings));
  const ranges: Readonly<Record<string, Range>> = {
    '=': { from: text, below: after(text), holds: (sort) => sort === text },
    '<': { from: '', below: text, holds: (sort) => sort < text },
    '<=': { from: '', below: after(text), holds: (sort) => sort <= text },
    '>': { from: text, below: undefined, holds: (sort) => sort > text },
    '>=': { from: text, below: undefined, holds: (sort) => sort >= text },
  };
  const range = ranges[test.by];
  if (range === undefined) throw invalidCondition('Unsupported operator: <>');
  return range;
}

/** Returns the range that a KeyConditionExpression selects from a table or index with the given keys. */
export function keyRange(
  condition: Condition,
  keys: { readonly partition: string; readonly sort?: string | undefined },
  bindings: Bindings,
): KeyRange {
  const tests = conjuncts(condition).map((one): Test => {
    if (one.is === 'compare' || one.is === 'between' || one.is === 'test') return one;
    throw invalidCondition(`Invalid operator used in KeyConditionExpression: ${one.is.toUpperCase()}`);
  });
  const partitions = tests.filter((test) => attributeOf(test, bindings) === keys.partition);
  const [partition] = partitions;
  const others = tests.filter((test) => test !== partition);
  if (partition === undefined) throw invalid(`Query condition missed key schema element: ${keys.partition}`);
  if (partition.is !== 'compare' || partition.by !== '=') throw invalid('Query key condition not supported');
  const [sort] = others;
  if (others.length > 1 || (sort && attributeOf(sort, bindings) !== keys.sort))
    throw invalid('Query key condition not supported');
  const range = sort === undefined ? { from: '', below: undefined, holds: () => true } : rangeOf(sort, bindings);
  return { partition: textOf(partition.right, bindings), ...range };
}
