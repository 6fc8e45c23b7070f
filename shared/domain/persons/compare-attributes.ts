import { normaliseText } from '../text.ts';
import { type AttributeKind, type Attributes, type AttributeValue, isCalendarDate, kindOf } from './attributes.ts';
import type { Expression, Operator } from './expression.ts';
import { unknownAttribute } from './parse-attributes.ts';

const decide: Readonly<Record<Operator, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '=': (order) => order === 0,
  '>=': (order) => order >= 0,
  '<=': (order) => order <= 0,
};

// UTF-8 sorts by code point; JavaScript's own comparison sorts by UTF-16 unit, which differs beyond the BMP.
const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** How a held value compares with a given one: negative, 0, positive; undefined when they cannot be compared. */
function order(kind: AttributeKind, held: AttributeValue | undefined, given: Expression['value']): number | undefined {
  if (kind === 'gender') return typeof held === 'number' && typeof given === 'number' ? held - given : undefined;
  if (typeof held !== 'string' || typeof given !== 'string') return undefined;
  if (kind === 'text') return byCodePoint(held, normaliseText(given));
  return isCalendarDate(given) ? byCodePoint(held, given) : undefined;
}

/**
 * True when every expression holds; of none, true. Dates compare as dates, gender as a number, text by code point. An
 * expression on an attribute that the person lacks, or with a value of another kind, does not hold.
 * @throws Refusal `unknownAttribute`
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
