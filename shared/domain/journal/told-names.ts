import type { About } from '../../model/journal/journal-row.ts';
import { kindOf } from '../persons/attributes.ts';

/**
 * The names that were asked for as the journal has them: those of attributes, and how many others. A name that is none is a text
 * of the caller's, which may be anything.
 */
export function toldNames(
  names: readonly string[],
  extraAttributes: readonly string[],
): Pick<About, 'names' | 'unknownNames'> {
  const known = names.filter((name) => kindOf(name, extraAttributes) !== undefined);
  const unknown = names.length - known.length;
  return { names: known, ...(unknown > 0 && { unknownNames: unknown }) };
}
