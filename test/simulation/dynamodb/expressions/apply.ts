import type { Item } from '../../../../shared/storage/dynamo.ts';
import { Draft } from './draft.ts';
import { type Bindings, bound, type Path, valueAt } from './paths.ts';
import type { Action, Term } from './updates.ts';
import { invalid } from './validation-error.ts';
import { difference, sum, union, type Value } from './values.ts';

const wrongType = (operator: string) =>
  invalid(
    `Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: ${operator}`,
  );
const wrongOperand = () => invalid('An operand in the update expression has an incorrect data type');
const missing = () => invalid('The provided expression refers to an attribute that does not exist in the item');

function evaluate(term: Term, item: Item, bindings: Bindings): Value {
  switch (term.is) {
    case 'value':
      return bindings.values[term.name] as Value;
    case 'path': {
      const value = valueAt(item, term.path, bindings);
      if (value === undefined) throw missing();
      return value;
    }
    case 'if_not_exists':
      return valueAt(item, term.path, bindings) ?? evaluate(term.otherwise, item, bindings);
    case 'list_append': {
      const [first, second] = [evaluate(term.first, item, bindings), evaluate(term.second, item, bindings)];
      if (first.L === undefined || second.L === undefined) throw wrongType('list_append');
      return { L: [...first.L, ...second.L] };
    }
    default: {
      const [left, right] = [evaluate(term.left, item, bindings), evaluate(term.right, item, bindings)];
      if (left.N === undefined || right.N === undefined) throw wrongType(term.sign === 1 ? '+' : '-');
      return { N: sum(left.N, right.N, term.sign) };
    }
  }
}

function added(old: Value | undefined, value: Value): Value {
  const isAddable = value.N !== undefined || value.SS !== undefined || value.NS !== undefined || value.BS !== undefined;
  if (!isAddable) throw wrongType('ADD');
  if (old === undefined) return value;
  const whole = old.N !== undefined && value.N !== undefined ? { N: sum(old.N, value.N, 1) } : union(old, value);
  if (whole === undefined) throw wrongOperand();
  return whole;
}

/** Returns the value that an action leaves at its path, or undefined if the action removes the value. */
function outcomeOf(action: Action, item: Item, bindings: Bindings): Value | undefined {
  if (action.is === 'REMOVE') return undefined;
  if (action.is === 'SET') return evaluate(action.to, item, bindings);
  const value = bindings.values[action.value] as Value;
  const old = valueAt(item, action.path, bindings);
  if (action.is === 'ADD') return added(old, value);
  const rest = old && difference(old, value);
  if (old !== undefined && rest === undefined) throw wrongOperand();
  return rest === 'empty' ? undefined : rest;
}

const isPrefix = (short: Path, long: Path): boolean =>
  short.length <= long.length && short.every((part, index) => part === long[index]);

/**
 * Checks that no path equals or contains another path.
 * @throws ValidationException
 */
export function checkOverlap(paths: readonly Path[]): void {
  const firsts = new Set(paths.map(([first]) => first));
  if (firsts.size === paths.length) return;
  for (const [index, path] of paths.entries())
    for (const other of paths.slice(index + 1))
      if (isPrefix(path, other) || isPrefix(other, path))
        throw invalid(
          'Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; ' +
            `path one: [${path.join(', ')}], path two: [${other.join(', ')}]`,
        );
}

/** Returns a copy of an item with the update applied. Evaluates all terms before the first change. */
export function applyUpdate(actions: readonly Action[], item: Item, bindings: Bindings) {
  const paths = actions.map(({ path }) => bound(path, bindings));
  const draft = new Draft(item);
  for (const [index, action] of actions.entries()) {
    const [path, value] = [paths[index] as Path, outcomeOf(action, item, bindings)];
    if (value === undefined) draft.remove(path);
    else draft.set(path, value);
  }
  return { item: draft.finish(), paths };
}
