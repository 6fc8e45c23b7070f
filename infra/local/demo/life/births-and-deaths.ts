import type { Attributes } from '../../../../shared/domain/persons/attributes.ts';
import { givenName } from '../population/names.ts';
import { causes } from '../population/population.ts';
import { daysAfter } from './agenda.ts';
import type { Country } from './country.ts';
import { type Occurrence, occurrence } from './occurrence.ts';
import { ageOn, change, makeParents, type Person, part } from './person.ts';

/**
 * Returns the relative probability of death at an age. The probability grows by about 10 % per year of age (Gompertz).
 */
const mortality = (age: number): number => (age < 1 ? 0.004 : Math.min(1, Math.exp((age - 100) / 10.5)));

export function die(country: Country, date: string): readonly Occurrence[] {
  const { chance } = country;
  const person = country.pick((one) => mortality(ageOn(date, one)));
  if (person === undefined) return [];
  const { spouse, home, uin } = person;
  const changes = [
    change(person, {
      dateOfDeath: date,
      placeOfDeath: chance.is(0.7) ? home : country.somePlace(),
      ...(chance.is(0.7) && { reasonOfDeath: chance.one(causes) }),
      status: 'dead',
    }),
  ];
  if (spouse) changes.push(...part(person, spouse, [spouse]));
  country.leave(person);
  return [occurrence(date, 'death', { uin }, changes)];
}

const twinsPerBirth = 0.016;
const stillPerBirth = 0.004;
const cancelledPerBirth = 0.004;
// If the mother is unmarried: the share of children with a declared father, and the share of all other children whom a
// father recognises later.
const declaredFathers = 0.5;
const recognised = 0.4;
const daysBetweenBirths = 300;

/**
 * Returns the relative probability that a person gives birth. The probability is highest at the age of 30, two thirds
 * lower without a husband, and zero in the months after a birth.
 */
const fertility =
  (date: string) =>
  (mother: Person): number => {
    const age = ageOn(date, mother);
    if (mother.gender !== 2 || age < 17 || age > 46) return 0;
    const latest = daysAfter(date, -daysBetweenBirths);
    if ([...mother.children].some(({ bornOn }) => bornOn > latest)) return 0;
    const likely = Math.max(0.02, 1 - Math.abs(age - 30) / 15);
    return mother.spouse === undefined || mother.isSeparated ? likely / 3 : likely;
  };

/** Returns the mother's current partner, or else an unmarried man of about her age from her ethnic group. */
export function findFather({ isLiving, pick }: Country, date: string, mother: Person): Person | undefined {
  if (isLiving(mother.partner) && mother.partner.spouse === undefined) return mother.partner;
  return pick((man) => {
    const older = ageOn(date, man) - ageOn(date, mother);
    const fits = man.gender === 1 && man.people === mother.people && !man.spouse && !man.mother?.children.has(mother);
    return fits && ageOn(date, man) >= 18 && older > -8 && older < 14 && man.mother !== mother ? 1 : 0;
  });
}

function namesOf(
  country: Country,
  mother: Person,
  father: Person | undefined,
  gender: 1 | 2,
  date: string,
): Attributes {
  const { chance } = country;
  const { people, home } = mother;
  const lastName = father?.attributes.lastName ?? mother.attributes.lastName;
  return {
    firstName: givenName(people, gender, chance.rank(people.givenNames)),
    ...(lastName !== undefined && { lastName }),
    gender,
    dateOfBirth: date,
    placeOfBirth: chance.is(0.8) ? home : country.somePlace(),
  };
}

async function bearOne(country: Country, date: string, mother: Person, father: Person | undefined) {
  const { chance } = country;
  const gender = chance.is(0.512) ? 1 : 2;
  const attributes = { ...namesOf(country, mother, father, gender, date), status: 'alive' };
  const { people, home } = mother;
  const { child, minted } = await country.bear({ people, home, bornOn: date, gender, attributes });
  makeParents(child, mother, father);
  child.isBornOutOfWedlock = mother.spouse === undefined || mother.spouse !== father;
  const parents = { uin1: mother.uin, ...(father && { uin2: father.uin }) };
  return { child, born: occurrence(date, 'liveBirth', { uin: child.uin, ...parents }, [], minted) };
}

/** Registers a stillbirth. A stillborn child also receives a UIN, but is not linked to its parents. */
async function bearStill(country: Country, date: string, mother: Person): Promise<Occurrence> {
  const { people, home } = mother;
  const gender = country.chance.is(0.512) ? 1 : 2;
  const { lastName } = mother.attributes;
  const attributes = {
    ...(lastName !== undefined && { lastName }),
    gender,
    dateOfBirth: date,
    dateOfDeath: date,
    placeOfDeath: home,
    status: 'dead',
  };
  const { child, minted } = await country.bear({ people, home, bornOn: date, gender, attributes });
  country.leave(child);
  return occurrence(date, 'foetalDeath', { uin: child.uin }, [], minted);
}

/** Plans a father's recognition of the child, some days or weeks after the birth. */
function planRecognition(country: Country, date: string, child: Person): void {
  const { chance, agenda, isLiving } = country;
  agenda.plan(daysAfter(date, chance.between(3, 120)), (day) => {
    const { mother } = child;
    if (!isLiving(child) || child.father || !isLiving(mother) || mother.spouse) return [];
    const father = findFather(country, day, mother);
    if (father === undefined) return [];
    makeParents(child, mother, father);
    mother.partner = father;
    const { lastName } = father.attributes;
    const isRenamed = lastName !== undefined && chance.is(0.5);
    const body = { uin: child.uin, uin1: father.uin, uin2: mother.uin };
    return [occurrence(day, 'recognition', body, isRenamed ? [change(child, { lastName })] : [])];
  });
}

/** Plans to cancel a birth, as if a registrar had found that the birth was registered twice or by mistake. */
function planCancellation({ agenda, chance, isLiving, leave }: Country, date: string, child: Person): void {
  agenda.plan(daysAfter(date, chance.between(2, 40)), (day) => {
    if (!isLiving(child)) return [];
    leave(child);
    return [occurrence(day, 'birthCancellation', { uin: child.uin }, [{ change: 'remove', uin: child.uin }])];
  });
}

export async function bear(country: Country, date: string): Promise<readonly Occurrence[]> {
  const { chance } = country;
  const mother = country.pick(fertility(date));
  if (mother === undefined) return [];
  if (chance.is(stillPerBirth)) return [await bearStill(country, date, mother)];
  const isMarried = mother.spouse?.gender === 1 && !mother.isSeparated;
  const father = isMarried ? mother.spouse : chance.is(declaredFathers) ? findFather(country, date, mother) : undefined;
  if (father && !isMarried) mother.partner = father;
  const occurrences: Occurrence[] = [];
  const count = chance.is(twinsPerBirth) ? 2 : 1;
  for (let ordinal = 0; ordinal < count; ordinal++) {
    const { child, born } = await bearOne(country, date, mother, father);
    occurrences.push(born);
    if (father === undefined && chance.is(recognised)) planRecognition(country, date, child);
    if (chance.is(cancelledPerBirth)) planCancellation(country, date, child);
  }
  return occurrences;
}
