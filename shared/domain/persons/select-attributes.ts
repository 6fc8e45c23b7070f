import { clientErrors } from '../client-errors.ts';
import { type AttributeResult, type Attributes, kindOf } from './attributes.ts';

/** Returns the names of known attributes, except `uin`, because every read returns the UIN. */
export const storedNames = (names: readonly string[], extraAttributes: readonly string[]): string[] =>
  names.filter((name) => name !== 'uin' && kindOf(name, extraAttributes) !== undefined);

/**
 * Maps each requested name to the attribute's value, or to an Error object with code 1023.
 * @param names the requested names, without duplicates
 */
export function selectAttributes(
  person: Attributes,
  names: readonly string[],
  extraAttributes: readonly string[],
): Readonly<Record<string, AttributeResult>> {
  const code = clientErrors.attributeNotReturned.code;
  const resultOf = (name: string): AttributeResult => {
    const value = Object.hasOwn(person, name) ? person[name] : undefined;
    if (value !== undefined) return value;
    const isKnown = kindOf(name, extraAttributes) !== undefined;
    return { code, message: isKnown ? `this person has no ${name}` : 'unknown attribute name' };
  };
  return Object.fromEntries(names.map((name) => [name, resultOf(name)]));
}
