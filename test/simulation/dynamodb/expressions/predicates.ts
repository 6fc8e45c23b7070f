import type { Item } from '../../../../shared/storage/dynamo.ts';
import type { Comparator, Condition, Operand } from './conditions.ts';
import { type Bindings, valueAt } from './paths.ts';
import { beginsWith, compare, isEqual, sizeOf, type Value } from './values.ts';

/** Returns whether an item meets a condition. A missing item counts as an item without attributes. */
export type Predicate = (item: Item | undefined, bindings: Bindings) => boolean;
type Read = (item: Item | undefined, bindings: Bindings) => Value | undefined;

function readerOf(operand: Operand): Read {
  if (operand.is === 'value') return (_, { values }) => values[operand.name];
  const { path } = operand;
  if (operand.is === 'path') return (item, bindings) => valueAt(item, path, bindings);
  return (item, bindings) => {
    const value = valueAt(item, path, bindings);
    const size = value && sizeOf(value);
    return size === undefined ? undefined : { N: String(size) };
  };
}

const holds: Readonly<Record<Exclude<Comparator, '=' | '<>'>, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

function comparison(by: Comparator, left: Read, right: Read): Predicate {
  if (by === '=' || by === '<>') {
    const wanted = by === '=';
    return (item, bindings) => {
      const [a, b] = [left(item, bindings), right(item, bindings)];
      // A missing value is not equal to any value, not even to another missing value.
      return (a !== undefined && b !== undefined && isEqual(a, b)) === wanted;
    };
  }
  const isTrue = holds[by];
  return (item, bindings) => {
    const [a, b] = [left(item, bindings), right(item, bindings)];
    const order = a && b && compare(a, b);
    return order !== undefined && isTrue(order);
  };
}

function test({ test: name, operand, with: second }: Condition & { is: 'test' }): Predicate {
  const read = readerOf(operand);
  if (name === 'attribute_exists') return (item, bindings) => read(item, bindings) !== undefined;
  if (name === 'attribute_not_exists') return (item, bindings) => read(item, bindings) === undefined;
  const readSecond = second === undefined ? () => undefined : readerOf(second);
  return (item, bindings) => {
    const [a, b] = [read(item, bindings), readSecond(item, bindings)];
    return a !== undefined && b !== undefined && beginsWith(a, b);
  };
}

/** Compiles a condition into a function. */
export function predicateOf(condition: Condition): Predicate {
  switch (condition.is) {
    case 'compare':
      return comparison(condition.by, readerOf(condition.left), readerOf(condition.right));
    case 'between': {
      const from = comparison('>=', readerOf(condition.operand), readerOf(condition.low));
      const to = comparison('<=', readerOf(condition.operand), readerOf(condition.high));
      return (item, bindings) => from(item, bindings) && to(item, bindings);
    }
    case 'in': {
      const read = readerOf(condition.operand);
      const any = condition.list.map((one) => comparison('=', read, readerOf(one)));
      return (item, bindings) => any.some((isEqualTo) => isEqualTo(item, bindings));
    }
    case 'test':
      return test(condition);
    default: {
      const [left, right] = [predicateOf(condition.left), predicateOf(condition.right)];
      if (condition.is === 'and') return (item, bindings) => left(item, bindings) && right(item, bindings);
      return (item, bindings) => left(item, bindings) || right(item, bindings);
    }
  }
}
