import type { Item } from '../../../../shared/storage/dynamo.ts';
import { Draft } from './draft.ts';
import { type Bindings, bound, type Path, valueAt } from './paths.ts';
import type { Action, Term } from './updates.ts';
import { invalid } from './validation-error.ts';
import { sum, type Value } from './values.ts';

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
    default:
      return valueAt(item, term.path, bindings) ?? evaluate(term.otherwise, item, bindings);
  }
}

/** Returns the new value at the path of an action, or undefined if the action removes the value. */
function outcomeOf(action: Action, item: Item, bindings: Bindings): Value | undefined {
  if (action.is === 'REMOVE') return undefined;
  if (action.is === 'SET') return evaluate(action.to, item, bindings);
  const { N: by = '0' } = bindings.values[action.value] as Value;
  const old = valueAt(item, action.path, bindings) ?? { N: '0' };
  if (old.N === undefined) throw wrongOperand();
  return { N: sum(old.N, by) };
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

/** Returns a copy of an item with the update applied. All terms are evaluated before the first change. */
export function applyUpdate(actions: readonly Action[], item: Item, bindings: Bindings) {
  const paths = actions.map(({ path }) => bound(path, bindings));
  const draft = new Draft(item);
  for (const [index, action] of actions.entries()) {
    const [path, value] = [paths[index] as Path, outcomeOf(action, item, bindings)];
    if (value === undefined) draft.remove(path);
    else draft.set(path, value);
  }
  return draft.item;
}
