import type { Attributes } from '../../shared/model/persons/attributes.ts';
import { familyName, givenName, type People, peoples, placeName } from './population-names.ts';
import { type Chance, createChance, uinAt } from './population-random.ts';

export interface Citizen {
  readonly uin: string;
  readonly attributes: Attributes;
}

interface PopulationOptions {
  readonly size: number;
  readonly seed?: number;
  /** Adds `fatherName` and `motherName`, as far as they are known: attributes that a deployment may declare. */
  readonly hasParents?: boolean;
}

type Draft = Record<string, string | number>;

const places = 2000;
const thisYear = 2026;
const causes = ['heart failure', 'cancer', 'stroke', 'accident', 'pneumonia', 'old age', 'unknown', 'complications'];
const oldAge = 100;

const dateIn = (chance: Chance, year: number): string =>
  new Date(Date.UTC(year, 0, chance.between(1, 365))).toISOString().slice(0, 10);

const fullName = ({ firstName, lastName }: Draft, { isFamilyFirst }: People): string =>
  isFamilyFirst ? `${lastName}${firstName}` : `${firstName} ${lastName}`;

function die(chance: Chance, person: Draft, home: string, bornIn: number): void {
  const age = chance.is(0.03) ? chance.between(0, 20) : chance.between(40, oldAge);
  if (bornIn + age >= thisYear) return;
  const drawn = dateIn(chance, bornIn + age);
  // Dates of one form sort as text.
  [person.dateOfDeath = ''] = [drawn, String(person.dateOfBirth)].toSorted().reverse();
  person.status = 'dead';
  if (chance.is(0.93)) person.placeOfDeath = chance.is(0.6) ? home : placeName(chance.rank(places));
  if (chance.is(0.7)) person.reasonOfDeath = chance.one(causes);
}

// What a clerk could not learn is not there, and a few people are looked for.
function forget(chance: Chance, person: Draft): Draft {
  if (chance.is(0.01)) delete person.lastName;
  if (chance.is(0.004)) delete person.firstName;
  if (chance.is(0.015)) delete person.dateOfBirth;
  if (chance.is(0.05)) delete person.placeOfBirth;
  if (chance.is(0.02)) delete person.gender;
  if (chance.is(0.01)) person.gender = chance.one([0, 9]);
  if (chance.is(0.1) && person.status === 'alive') delete person.status;
  if (chance.is(0.002)) person.status = chance.one(['missing', 'wanted']);
  return person;
}

const families = peoples.flatMap((people) => Array<People>(people.share).fill(people));

/** One household: one or two grown-ups, some of them married for the second time, and their children. */
function* household(chance: Chance, hasParents: boolean): Generator<Draft> {
  const people = chance.one(families);
  const home = placeName(chance.rank(places));
  const person = (gender: 1 | 2, lastName: string, bornIn: number): Draft => ({
    firstName: givenName(people, gender, chance.rank(people.givenNames)),
    lastName,
    gender,
    dateOfBirth: dateIn(chance, bornIn),
    placeOfBirth: chance.is(0.6) ? home : placeName(chance.rank(places)),
    status: 'alive',
  });
  const name = () => familyName(people, chance.rank(people.familyNames));
  const family = name();
  const from = chance.between(1915, 2003);
  const father = person(1, family, from);
  const mother = person(2, chance.is(0.5) ? family : name(), Math.min(from + chance.between(-3, 8), 2005));
  const isPair = chance.is(0.78);
  if (isPair) {
    father.spouseName = fullName(mother, people);
    mother.spouseName = fullName(father, people);
  }
  die(chance, father, home, from);
  die(chance, mother, home, from);
  const widowed = [father, mother].find((one) => one.dateOfDeath === undefined);
  const isRemarried =
    isPair && widowed !== undefined && chance.is(father.dateOfDeath || mother.dateOfDeath ? 0.3 : 0.08);
  const second = isRemarried ? person(widowed === father ? 2 : 1, name(), from) : undefined;
  if (second !== undefined && widowed !== undefined) {
    widowed.spouseName = fullName(second, people);
    second.spouseName = fullName(widowed, people);
  }
  const knowsFather = isPair || chance.is(0.4);
  const parents = {
    ...(hasParents && knowsFather ? { fatherName: fullName(father, people) } : {}),
    ...(hasParents && chance.is(0.97) ? { motherName: fullName(mother, people) } : {}),
  };
  if (isPair || !chance.is(0.5)) yield forget(chance, mother);
  if (isPair) yield forget(chance, father);
  if (second) yield forget(chance, second);
  const children = chance.rank(7);
  for (let child = 0; child < children; child++) {
    const bornIn = Math.min(from + chance.between(18, 42), thisYear - 1);
    const gender = chance.is(0.512) ? 1 : 2;
    const born: Draft = { ...person(gender, knowsFather ? family : String(mother.lastName), bornIn), ...parents };
    const twin: Draft = { ...born, firstName: givenName(people, gender, chance.rank(people.givenNames)) };
    const isTwin = chance.is(0.016);
    die(chance, born, home, bornIn);
    yield forget(chance, born);
    if (isTwin) yield forget(chance, twin);
  }
}

/**
 * The people of an invented country, one by one: families of several scripts, with names as unevenly spread as real ones,
 * twins, remarried people, deaths, and gaps in what is known. The same seed gives the same people.
 */
export function* population({ size, seed = 1, hasParents = false }: PopulationOptions): Generator<Citizen> {
  const chance = createChance(seed);
  for (let index = 0; index < size; ) {
    for (const attributes of household(chance, hasParents)) {
      if (index === size) return;
      yield { uin: uinAt(index), attributes };
      index += 1;
    }
  }
}
