import { ClientError } from '../client-errors.ts';
import { quoteName } from '../quote-name.ts';
import { normaliseText } from '../text.ts';
import { type Attributes, type AttributeValue, attributeSchemas, kindOf, standardAttributes } from './attributes.ts';

/** Parses the attributes of a search from the query. @throws ClientError like `parseAttribute`, or if none is given */
export function parseSearch(given: Readonly<Record<string, string>>, extraAttributes: readonly string[]): Attributes {
  const entries = Object.entries(given);
  if (entries.length === 0) {
    throw new ClientError('missingParameter', 'give at least one attribute to search by, such as lastName');
  }
  const typed = ([name, text]: [string, string]): [string, string | number] => {
    const isNumber = kindOf(name, extraAttributes) === 'gender' && /^\d$/.test(text);
    return [name, parseAttribute(name, isNumber ? Number(text) : text, extraAttributes)];
  };
  return Object.fromEntries(entries.map(typed));
}

// Most wrong names differ only in case, `_` or `-`.
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, '');

export const knownAttributes = (extraAttributes: readonly string[]): string[] => [
  ...Object.keys(standardAttributes),
  ...extraAttributes,
];

/** Returns the known name that the caller probably meant. */
export const closestName = (name: string, known: readonly string[]): string | undefined =>
  known.find((one) => lettersOf(one) === lettersOf(name));

/** Returns the end of a sentence about an unknown name, with a suggestion if a known name is similar. */
export function suggestName(name: string, known: readonly string[]): string {
  const near = closestName(name, known);
  return near === undefined ? '.' : `: did you mean ${near}?`;
}

export function unknownAttribute(name: string, extraAttributes: readonly string[]): ClientError {
  const known = knownAttributes(extraAttributes);
  return new ClientError(
    'unknownAttribute',
    `${quoteName(name)} is not an attribute of this registry${suggestName(name, known)} Known attributes: ${known.join(', ')}`,
  );
}

/**
 * Parses an attribute value into its stored form.
 * @throws ClientError `unknownAttribute` or `invalidAttribute`, with the name but never the value
 */
export function parseAttribute(name: string, value: unknown, extraAttributes: readonly string[]): AttributeValue {
  const kind = kindOf(name, extraAttributes);
  if (kind === undefined) throw unknownAttribute(name, extraAttributes);
  const parsed = attributeSchemas[kind].safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ClientError('invalidAttribute', `${name} ${parsed.error.issues[0]?.message ?? 'is not acceptable'}`);
}

/** Returns whether the attribute counts as absent: null and blank text do. */
export const isBlank = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && normaliseText(value) === '');

/** Returns the attributes in a body that are not blank. @throws ClientError `invalidBody` if all are blank */
export function givenAttributes(body: Readonly<Record<string, unknown>>): (readonly [name: string, value: unknown])[] {
  const given = Object.entries(body).filter(([, value]) => !isBlank(value));
  if (given.length > 0) return given;
  throw new ClientError('invalidBody', 'the body must contain at least one attribute that is neither blank nor null');
}

/**
 * Parses a body that maps attribute names to values. Names with blank values are checked too, because they may be
 * misspelt.
 * @throws ClientError like `givenAttributes` and `parseAttribute`
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
