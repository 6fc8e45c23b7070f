import { ClientError } from '../client-errors.ts';
import { firstIssue } from '../first-issue.ts';
import { quoteName } from '../quote-name.ts';
import { normaliseText } from '../text.ts';
import { type Attributes, type AttributeValue, attributeSchemas, kindOf, standardAttributes } from './attributes.ts';

/**
 * Parses the attributes of a search from the query.
 * @throws ClientError if an attribute is invalid or the query contains no attributes
 */
export function parseSearch(given: Readonly<Record<string, string>>, extraAttributes: readonly string[]): Attributes {
  const entries = Object.entries(given);
  if (entries.length === 0) {
    throw new ClientError('missingParameter', 'give at least one attribute to search by, such as lastName');
  }
  const read = entries.map(([name, text]) => [name, parseAttribute(name, typedText(name, text), extraAttributes)]);
  return Object.fromEntries(read);
}

/**
 * Converts the text of an attribute to its JSON value. Text that does not match the expected type remains text, so that
 * the schema rejects the value.
 */
export const typedText = (name: string, text: string): AttributeValue =>
  kindOf(name, []) === 'gender' && /^\d$/.test(text) ? Number(text) : text;

// Most misspelt names differ from a known name only in case, `_` or `-`.
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, '');

export const knownAttributes = (extraAttributes: readonly string[]): string[] => [
  ...Object.keys(standardAttributes),
  ...extraAttributes,
];

/** Returns the known name that the caller probably meant. */
export const closestName = (name: string, known: readonly string[]): string | undefined =>
  known.find((one) => lettersOf(one) === lettersOf(name));

/**
 * Returns the end of a sentence about an unknown name: a suggestion if a known name is similar, and the known names.
 * @param kind what the names are, such as `attributes`
 */
export function suggestName(name: string, known: readonly string[], kind: string): string {
  const near = closestName(name, known);
  return `${near === undefined ? '.' : `: did you mean ${near}?`} Known ${kind}: ${known.join(', ')}`;
}

export function unknownAttribute(name: string, extraAttributes: readonly string[]): ClientError {
  const suggestion = suggestName(name, knownAttributes(extraAttributes), 'attributes');
  return new ClientError('unknownAttribute', `${quoteName(name)} is not an attribute of this registry${suggestion}`);
}

/**
 * Converts an attribute value to its stored form.
 * @throws ClientError `unknownAttribute` or `invalidAttribute`, whose message contains the name but never the value
 */
export function parseAttribute(name: string, value: unknown, extraAttributes: readonly string[]): AttributeValue {
  const kind = kindOf(name, extraAttributes);
  if (kind === undefined) throw unknownAttribute(name, extraAttributes);
  const parsed = attributeSchemas[kind].safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ClientError('invalidAttribute', `${name} ${firstIssue(parsed.error).message}`);
}

/** Returns whether a value is null or a blank string. An attribute with such a value counts as missing. */
export const isBlank = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && normaliseText(value) === '');

export const notBlank = (body: Readonly<Record<string, unknown>>): (readonly [name: string, value: unknown])[] =>
  Object.entries(body).filter(([, value]) => !isBlank(value));

/**
 * Returns the attributes in a body, except those with null or blank values.
 * @throws ClientError `invalidBody` if no attribute remains
 */
export function givenAttributes(body: Readonly<Record<string, unknown>>): (readonly [name: string, value: unknown])[] {
  const given = notBlank(body);
  if (given.length > 0) return given;
  throw new ClientError('invalidBody', 'the body must contain at least one attribute that is neither blank nor null');
}

/**
 * Parses a body that maps attribute names to values. The names of blank values are also checked, because they may be
 * misspelt.
 * @throws ClientError if a name is unknown, a value is invalid, or all values are blank
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
