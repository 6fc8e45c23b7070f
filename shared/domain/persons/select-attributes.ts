import { refusals } from '../../model/refusals.ts';
import { type AttributeAnswer, type Attributes, kindOf } from './attributes.ts';

/** Those of the names that are stored as attributes of a person. The UIN is what every read answers. */
export const storedNames = (names: readonly string[], extraAttributes: readonly string[]): string[] =>
  names.filter((name) => name !== 'uin' && kindOf(name, extraAttributes) !== undefined);

/**
 * The answer to a read: for each name its value or, in its place, an Error object with code 1023.
 * @param names as asked, without repeats
 */
export function selectAttributes(
  person: Attributes,
  names: readonly string[],
  extraAttributes: readonly string[],
): Readonly<Record<string, AttributeAnswer>> {
  const code = refusals.attributeNotReturned.code;
  const answer = (name: string): AttributeAnswer => {
    const value = Object.hasOwn(person, name) ? person[name] : undefined;
    if (value !== undefined) return value;
    const isKnown = kindOf(name, extraAttributes) !== undefined;
    return { code, message: isKnown ? `this person has no ${name}` : 'unknown attribute name' };
  };
  return Object.fromEntries(names.map((name) => [name, answer(name)]));
}
