import { normaliseText } from '../text.ts';
import { type AttributeKind, type Attributes, type AttributeValue, isCalendarDate, kindOf } from './attributes.ts';
import type { Expression, MatchingError, Operator } from './expression.ts';
import { unknownAttribute } from './parse-attributes.ts';

/**
 * Returns an error for each mismatch: code 0 if the person or the registry lacks the attribute, code 1 if the value
 * differs.
 * @param given the values in their stored form; undefined for unknown attributes
 */
export function matchAttributes(
  person: Attributes,
  given: ReadonlyMap<string, string | number | undefined>,
): MatchingError[] {
  return [...given].flatMap(([attributeName, value]) => {
    const held = Object.hasOwn(person, attributeName) ? person[attributeName] : undefined;
    if (held !== undefined && held === value) return [];
    return [{ attributeName, errorCode: held === undefined ? 0 : 1 } as const];
  });
}

const decide: Readonly<Record<Operator, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '=': (order) => order === 0,
  '>=': (order) => order >= 0,
  '<=': (order) => order <= 0,
};

// UTF-8 bytes sort by code point. JavaScript's UTF-16 order differs for characters outside the BMP.
const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/**
 * Compares two values and returns a negative number, 0 or a positive number; undefined if the values cannot be
 * compared.
 */
function order(kind: AttributeKind, held: AttributeValue | undefined, given: Expression['value']): number | undefined {
  if (kind === 'gender') return typeof held === 'number' && typeof given === 'number' ? held - given : undefined;
  if (typeof held !== 'string' || typeof given !== 'string') return undefined;
  if (kind === 'text') return byCodePoint(held, normaliseText(given));
  return isCalendarDate(given) ? byCodePoint(held, given) : undefined;
}

/**
 * Returns whether all expressions are true. An expression is false if the person lacks the attribute or the value has a
 * different type.
 * @throws ClientError `unknownAttribute`
 */
export function verifyExpressions(
  person: Attributes,
  expressions: readonly Expression[],
  extraAttributes: readonly string[],
): boolean {
  const results = expressions.map(({ attributeName, operator, value }) => {
    const kind = kindOf(attributeName, extraAttributes);
    if (kind === undefined) throw unknownAttribute(attributeName, extraAttributes);
    const held = Object.hasOwn(person, attributeName) ? person[attributeName] : undefined;
    const compared = order(kind, held, value);
    return compared !== undefined && decide[operator](compared);
  });
  return results.every(Boolean);
}
