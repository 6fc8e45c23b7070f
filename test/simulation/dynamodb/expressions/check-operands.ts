import type { Condition, Operand } from './conditions.ts';
import type { Bindings } from './paths.ts';
import type { Action } from './updates.ts';
import { invalid } from './validation-error.ts';
import { compare, kindOf } from './values.ts';

// The types that `<`, `<=`, `>`, `>=` and BETWEEN accept. DynamoDB rejects values of other types, regardless of the item's content.
const ordered: readonly string[] = ['S', 'N', 'B'];

const wrong = (parameter: string, operator: string, kind: string) =>
  invalid(
    `Invalid ${parameter}: Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${kind}`,
  );

function checkOperand(
  operand: Operand | undefined,
  operator: string,
  kinds: readonly string[],
  bindings: Bindings,
): void {
  const value = operand?.is === 'value' ? bindings.values[operand.name] : undefined;
  if (value !== undefined && !kinds.includes(kindOf(value)))
    throw wrong('ConditionExpression', operator, kindOf(value));
}

function checkBounds(low: Operand, high: Operand, { values }: Bindings): void {
  if (low.is !== 'value' || high.is !== 'value') return;
  const [from, to] = [values[low.name], values[high.name]];
  if (from === undefined || to === undefined) return;
  const order = compare(from, to);
  if (order === undefined)
    throw invalid(
      'Invalid ConditionExpression: The BETWEEN operator requires same data type for lower and upper bounds',
    );
  if (order > 0)
    throw invalid(
      'Invalid ConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound',
    );
}

/** Checks the types of the values in a condition. @throws ValidationException if an operator or function does not accept a type */
export function checkConditionTypes(condition: Condition, bindings: Bindings): void {
  switch (condition.is) {
    case 'and':
    case 'or':
      checkConditionTypes(condition.left, bindings);
      checkConditionTypes(condition.right, bindings);
      return;
    case 'not':
      checkConditionTypes(condition.of, bindings);
      return;
    case 'compare':
      if (condition.by === '=' || condition.by === '<>') return;
      for (const side of [condition.left, condition.right]) checkOperand(side, condition.by, ordered, bindings);
      return;
    case 'between':
      for (const side of [condition.operand, condition.low, condition.high])
        checkOperand(side, 'BETWEEN', ordered, bindings);
      checkBounds(condition.low, condition.high, bindings);
      return;
    case 'test':
      if (condition.test === 'begins_with') checkOperand(condition.with, 'begins_with', ['S', 'B'], bindings);
      return;
  }
}

/** Checks the types of the values in an update. @throws ValidationException if an action does not accept a type */
export function checkUpdateTypes(actions: readonly Action[], bindings: Bindings): void {
  for (const action of actions) {
    const value = action.is === 'ADD' ? bindings.values[action.value] : undefined;
    if (value !== undefined && kindOf(value) !== 'N') throw wrong('UpdateExpression', action.is, kindOf(value));
  }
}
