import {
  type Attributes,
  type AttributeValue,
  attributeKinds,
  attributeSchemas,
  kindOf,
} from '../../model/persons/attributes.ts';
import { quoteName } from '../../model/quote-name.ts';
import { Refusal } from '../../model/refusals.ts';

/** The refusal of a name that the registry does not have; it says which names there are. */
export function unknownAttribute(name: string, extraAttributes: readonly string[]): Refusal {
  const known = [...Object.keys(attributeKinds), ...extraAttributes].join(', ');
  return new Refusal('unknownAttribute', `${quoteName(name)} is not an attribute of this registry; it has ${known}`);
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

/**
 * Reads a body that maps attribute names to values.
 * @throws Refusal `invalidBody` when it is empty, else as `parseAttribute`
 */
export function parseAttributes(
  body: Readonly<Record<string, unknown>>,
  extraAttributes: readonly string[],
): Attributes {
  const entries = Object.entries(body);
  if (entries.length === 0) throw new Refusal('invalidBody', 'the body must hold at least one attribute');
  return Object.fromEntries(entries.map(([name, value]) => [name, parseAttribute(name, value, extraAttributes)]));
}
