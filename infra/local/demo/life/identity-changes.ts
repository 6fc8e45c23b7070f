import { familyName, givenName } from '../population/names.ts';
import type { Country } from './country.ts';
import { type Occurrence, occurrence } from './occurrence.ts';
import { ageOn, change, makeParents, renameSpouseOf } from './person.ts';

export function changeName(country: Country, date: string): readonly Occurrence[] {
  const { chance } = country;
  const person = country.pick((one) => (ageOn(date, one) < 70 ? 1 : 0.1));
  if (person === undefined) return [];
  const { people, gender, uin } = person;
  const name = chance.is(0.7)
    ? { lastName: familyName(people, chance.rank(people.familyNames)) }
    : { firstName: givenName(people, gender, chance.rank(people.givenNames)) };
  return [occurrence(date, 'changeOfName', { uin }, [change(person, name), ...renameSpouseOf(person)])];
}

export function changeGender(country: Country, date: string): readonly Occurrence[] {
  const { chance } = country;
  // In the invented country, married persons cannot change their registered gender.
  const person = country.pick((one) => (ageOn(date, one) >= 18 && one.spouse === undefined ? 1 : 0));
  if (person === undefined) return [];
  const { people, uin } = person;
  person.gender = person.gender === 1 ? 2 : 1;
  person.partner = undefined;
  const firstName = givenName(people, person.gender, chance.rank(people.givenNames));
  return [occurrence(date, 'changeOfGender', { uin }, [change(person, { gender: person.gender, firstName })])];
}

/** Gives a child new parents, and the family name of the new father. Most adopted children have no mother. */
export function adopt(country: Country, date: string): readonly Occurrence[] {
  const child = country.pick((one) => {
    if (ageOn(date, one) >= 16 || one.spouse) return 0;
    return one.mother === undefined ? 1 : 0.1;
  });
  const wife =
    child &&
    country.pick((one) => {
      const older = ageOn(date, one) - ageOn(date, child);
      const isCouple = one.gender === 2 && one.spouse?.gender === 1 && !one.isSeparated;
      if (!isCouple || older < 21 || older > 45 || one.children.has(child)) return 0;
      return one.people === child.people ? 1 : 0.05;
    });
  const husband = wife?.spouse;
  if (!child || !husband) return [];
  makeParents(child, wife, husband);
  child.isBornOutOfWedlock = false;
  const { lastName } = husband.attributes;
  const body = { uin: child.uin, uin1: wife.uin, uin2: husband.uin };
  return [occurrence(date, 'adoption', body, lastName === undefined ? [] : [change(child, { lastName })])];
}
