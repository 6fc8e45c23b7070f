import { Refusal } from '../../model/refusals.ts';
import { quoteName } from '../quote-name.ts';
import { normaliseText } from '../text.ts';
import { type Attributes, type AttributeValue, attributeKinds, attributeSchemas, kindOf } from './attributes.ts';

// Names are mostly wrong in their case, or written with `_` or `-`.
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, '');

/** The names of all attributes. */
export const knownAttributes = (extraAttributes: readonly string[]): string[] => [
  ...Object.keys(attributeKinds),
  ...extraAttributes,
];

/** Which of the names that are known one that is not was probably meant to be. */
export const nearOf = (name: string, known: readonly string[]): string | undefined =>
  known.find((one) => lettersOf(one) === lettersOf(name));

/** Leads from a name that is not known to those that are: which it was probably meant to be, where one is near. */
export function misspelt(name: string, known: readonly string[]): string {
  const near = nearOf(name, known);
  return near === undefined ? '; it' : `: did you mean ${near}? It`;
}

/** The refusal of a name that the registry does not have; it says which names there are. */
export function unknownAttribute(name: string, extraAttributes: readonly string[]): Refusal {
  const known = knownAttributes(extraAttributes);
  return new Refusal(
    'unknownAttribute',
    `${quoteName(name)} is not an attribute of this registry${misspelt(name, known)} has ${known.join(', ')}`,
  );
}

/**
 * Reads one attribute value into the form that is stored and compared.
 * @throws Refusal `unknownAttribute` or `invalidAttribute`, naming the attribute and never its value
 */
export function parseAttribute(name: string, value: unknown, extraAttributes: readonly string[]): AttributeValue {
  const kind = kindOf(name, extraAttributes);
  if (kind === undefined) throw unknownAttribute(name, extraAttributes);
  const parsed = attributeSchemas[kind].safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Refusal('invalidAttribute', `${name} ${parsed.error.issues[0]?.message ?? 'is not acceptable'}`);
}

/** Whether a value says of itself that there is none. */
export const isBlank = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && normaliseText(value) === '');

/**
 * What a body gives of the attributes that it maps to values. Clients send a blank text or null for what a person has not:
 * that is not given.
 * @throws Refusal `invalidBody` when nothing is left
 */
export function givenAttributes(body: Readonly<Record<string, unknown>>): (readonly [name: string, value: unknown])[] {
  const given = Object.entries(body).filter(([, value]) => !isBlank(value));
  if (given.length > 0) return given;
  throw new Refusal('invalidBody', 'the body must hold at least one attribute that is neither blank nor null');
}

/**
 * Reads a body that maps attribute names to values. The names of blank ones must be known, too: one may be misspelt.
 * @throws Refusal as `givenAttributes` and `parseAttribute`
 */
export function parseAttributes(
  body: Readonly<Record<string, unknown>>,
  extraAttributes: readonly string[],
): Attributes {
  const unknown = Object.keys(body).find((name) => kindOf(name, extraAttributes) === undefined);
  if (unknown !== undefined) throw unknownAttribute(unknown, extraAttributes);
  const read = givenAttributes(body).map(([name, value]) => [name, parseAttribute(name, value, extraAttributes)]);
  return Object.fromEntries(read);
}
