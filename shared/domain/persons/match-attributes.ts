import type { Attributes } from './attributes.ts';
import type { MatchingError } from './expression.ts';

/**
 * Compares given values with those of a person, in the order given: an entry with 0 where the person has no such
 * attribute (or there is none of that name), 1 where it differs, none where it matches.
 * @param given values in their stored form; undefined for a name that the registry does not have
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
