import type { Attributes, AttributeValue } from '../../../../shared/domain/persons/attributes.ts';
import type { People } from '../population/names.ts';
import { fullName } from '../population/population.ts';
import type { AttributeChanges, Change } from './occurrence.ts';

/** A living person, including facts that the registry does not store. */
export interface Person {
  readonly uin: string;
  readonly people: People;
  readonly home: string;
  /** The actual date of birth (ISO 8601), which the registry may not know. */
  readonly bornOn: string;
  gender: 1 | 2;
  attributes: Attributes;
  spouse?: Person | undefined;
  isSeparated?: boolean;
  partner?: Person | undefined;
  nameBefore?: AttributeValue | undefined;
  mother?: Person | undefined;
  father?: Person | undefined;
  readonly children: Set<Person>;
  isBornOutOfWedlock?: boolean;
  place: number;
}

/** Returns a person's age in whole years on a given day. */
export function ageOn(date: string, { bornOn }: Pick<Person, 'bornOn'>): number {
  const years = Number(date.slice(0, 4)) - Number(bornOn.slice(0, 4));
  return date.slice(5) < bornOn.slice(5) ? years - 1 : years;
}

/** Sets attributes, removes attributes whose new value is null, and returns the import line for these changes. */
export function change(person: Person, changes: AttributeChanges): Change {
  const kept = Object.entries({ ...person.attributes, ...changes }).filter(([, value]) => value !== null);
  person.attributes = Object.fromEntries(kept) as Attributes;
  return { change: 'update', uin: person.uin, attributes: changes };
}

/**
 * Updates the spouse's attribute `spouseName` after a person's name has changed. Returns the import lines; an empty
 * list if the person has no spouse or no name.
 */
export function renameSpouseOf(person: Person): Change[] {
  if (person.spouse === undefined) return [];
  const spouseName = fullName(person.attributes, person.people);
  return spouseName === '' ? [] : [change(person.spouse, { spouseName })];
}

/**
 * Ends the marriage of two persons. Removes `spouseName` from the persons in `living`, and returns the import lines.
 */
export function part(person: Person, other: Person, living: readonly Person[]): Change[] {
  for (const one of [person, other]) {
    one.spouse = undefined;
    one.isSeparated = false;
  }
  return living
    .filter(({ attributes }) => attributes.spouseName !== undefined)
    .map((one) => change(one, { spouseName: null }));
}

export const areKin = (one: Person, other: Person): boolean =>
  one.children.has(other) ||
  other.children.has(one) ||
  (one.mother !== undefined && one.mother === other.mother) ||
  (one.father !== undefined && one.father === other.father);

export function makeParents(child: Person, mother: Person | undefined, father: Person | undefined): void {
  for (const before of [child.mother, child.father]) before?.children.delete(child);
  child.mother = mother;
  child.father = father;
  for (const parent of [mother, father]) parent?.children.add(child);
}
