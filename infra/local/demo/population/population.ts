import type { Attributes, AttributeValue } from '../../../../shared/domain/persons/attributes.ts';
import { type Chance, createChance, uinAt } from './chance.ts';
import { familyName, givenName, type People, peoples, placeName } from './names.ts';

export interface Citizen {
  readonly uin: string;
  readonly attributes: Attributes;
}

interface PopulationOptions {
  readonly size: number;
  readonly seed?: number;
  /** Whether persons can have the attributes `fatherName` and `motherName`, which a deployment may define. */
  readonly hasParents?: boolean;
}

/**
 * Yields the people of an invented country. The population includes families with names in several scripts, twins,
 * remarried and dead persons, and persons with missing data. The same seed yields the same people.
 */
export function* population({ size, ...options }: PopulationOptions): Generator<Citizen> {
  let index = 0;
  for (const { members } of households(options)) {
    for (const { attributes } of members) {
      if (index === size) return;
      yield { uin: uinAt(index), attributes };
      index += 1;
    }
  }
}

export interface Member {
  readonly attributes: Attributes;
  readonly gender: 1 | 2;
  /** The actual date of birth (ISO 8601), which the registry may not know. */
  readonly bornOn: string;
}

/** Persons who live at one address. `members` contains only the registered persons. */
export interface Household {
  readonly people: People;
  readonly home: string;
  readonly members: readonly Member[];
  /** The current couple, one of whom may have died. */
  readonly couple?: readonly [Member, Member];
  readonly mother: Member;
  readonly father: Member;
  readonly children: readonly Member[];
}

interface HouseholdOptions {
  readonly seed?: number;
  readonly hasParents?: boolean;
}

type Draft = Record<string, string | number>;
type DraftMember = Omit<Member, 'attributes'> & { readonly attributes: Draft };

export const places = 2000;
export const thisYear = 2026;
export const causes = [
  'heart failure',
  'cancer',
  'stroke',
  'accident',
  'pneumonia',
  'old age',
  'unknown',
  'complications',
];
const oldAge = 100;

const dateIn = (chance: Chance, year: number): string =>
  new Date(Date.UTC(year, 0, chance.between(1, 365))).toISOString().slice(0, 10);

/** Returns the known parts of a person's full name, in the order that is usual in the ethnic group. */
export const fullName = ({ firstName, lastName }: Attributes, { isFamilyFirst }: People): string => {
  const names = isFamilyFirst ? [lastName, firstName] : [firstName, lastName];
  return names.filter((name) => name !== undefined).join(isFamilyFirst ? '' : ' ');
};

function die(chance: Chance, { attributes: person, bornOn }: DraftMember, home: string, bornIn: number): void {
  const age = chance.is(0.03) ? chance.between(0, 20) : chance.between(40, oldAge);
  if (bornIn + age >= thisYear) return;
  const drawn = dateIn(chance, bornIn + age);
  // Sorts the dates as strings, because the alphabetical order of ISO 8601 dates is also chronological.
  [person.dateOfDeath = ''] = [drawn, bornOn].toSorted().reverse();
  person.status = 'dead';
  if (chance.is(0.93)) person.placeOfDeath = chance.is(0.6) ? home : placeName(chance.rank(places));
  if (chance.is(0.7)) person.reasonOfDeath = chance.one(causes);
}

// Removes some attributes, as if a registrar could not determine their values. Marks a few persons as missing or
// wanted.
function forget(chance: Chance, member: DraftMember): DraftMember {
  const person = member.attributes;
  if (chance.is(0.01)) delete person.lastName;
  if (chance.is(0.004)) delete person.firstName;
  if (chance.is(0.015)) delete person.dateOfBirth;
  if (chance.is(0.05)) delete person.placeOfBirth;
  if (chance.is(0.02)) delete person.gender;
  if (chance.is(0.01)) person.gender = chance.one([0, 9]);
  if (chance.is(0.1) && person.status === 'alive') delete person.status;
  if (chance.is(0.002)) person.status = chance.one(['missing', 'wanted']);
  return member;
}

const families = peoples.flatMap((people) => Array<People>(people.share).fill(people));

/** Creates one household with its adults, some of whom are remarried, and their children. */
function household(chance: Chance, hasParents: boolean): Household {
  const people = chance.one(families);
  const home = placeName(chance.rank(places));
  const person = (gender: 1 | 2, family: AttributeValue | undefined, bornIn: number): DraftMember => {
    const lastName = family === undefined ? {} : { lastName: family };
    const firstName = givenName(people, gender, chance.rank(people.givenNames));
    const bornOn = dateIn(chance, bornIn);
    const placeOfBirth = chance.is(0.6) ? home : placeName(chance.rank(places));
    return {
      attributes: { firstName, ...lastName, gender, dateOfBirth: bornOn, placeOfBirth, status: 'alive' },
      gender,
      bornOn,
    };
  };
  const name = () => familyName(people, chance.rank(people.familyNames));
  const marry = (one: DraftMember, other: DraftMember): [Member, Member] => {
    one.attributes.spouseName = fullName(other.attributes, people);
    other.attributes.spouseName = fullName(one.attributes, people);
    return [one, other];
  };
  const family = name();
  const from = chance.between(1915, 2003);
  const father = person(1, family, from);
  const mother = person(2, chance.is(0.5) ? family : name(), Math.min(from + chance.between(-3, 8), 2005));
  const isPair = chance.is(0.78);
  let couple = isPair ? marry(father, mother) : undefined;
  die(chance, father, home, from);
  die(chance, mother, home, from);
  const isDead = ({ attributes: { dateOfDeath } }: DraftMember): boolean => dateOfDeath !== undefined;
  const widowed = [father, mother].find((one) => !isDead(one));
  const isRemarried = isPair && widowed !== undefined && chance.is(isDead(father) || isDead(mother) ? 0.3 : 0.08);
  const second = isRemarried ? person(widowed === father ? 2 : 1, name(), from) : undefined;
  if (second !== undefined && widowed !== undefined) couple = marry(second, widowed);
  const knowsFather = isPair || chance.is(0.4);
  const parents = {
    ...(hasParents && knowsFather ? { fatherName: fullName(father.attributes, people) } : {}),
    ...(hasParents && chance.is(0.97) ? { motherName: fullName(mother.attributes, people) } : {}),
  };
  const members: Member[] = [];
  if (isPair || !chance.is(0.5)) members.push(forget(chance, mother));
  if (isPair) members.push(forget(chance, father));
  if (second) members.push(forget(chance, second));
  const children: Member[] = [];
  const count = chance.rank(7);
  for (let child = 0; child < count; child++) {
    const bornIn = Math.min(from + chance.between(18, 42), thisYear - 1);
    const gender = chance.is(0.512) ? 1 : 2;
    const born = person(gender, knowsFather ? family : mother.attributes.lastName, bornIn);
    Object.assign(born.attributes, parents);
    const firstName = givenName(people, gender, chance.rank(people.givenNames));
    const twin = { ...born, attributes: { ...born.attributes, firstName } };
    const isTwin = chance.is(0.016);
    die(chance, born, home, bornIn);
    children.push(forget(chance, born));
    if (isTwin) children.push(forget(chance, twin));
  }
  members.push(...children);
  return { people, home, members, mother, father, children, ...(couple && { couple }) };
}

/**
 * Yields an endless sequence of households. If `hasParents` is true, each person has the names of their parents, where
 * known.
 */
export function* households({ seed = 1, hasParents = false }: HouseholdOptions = {}): Generator<Household> {
  const chance = createChance(seed);
  for (;;) yield household(chance, hasParents);
}
