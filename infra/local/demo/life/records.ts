import type { Attributes } from '../../../../shared/domain/persons/attributes.ts';
import { familyName, givenName, peoples } from '../population/names.ts';
import { daysAfter } from './agenda.ts';
import type { Country } from './country.ts';
import { type AttributeChanges, type Occurrence, occurrence } from './occurrence.ts';
import { ageOn, change, type Person } from './person.ts';

// The share of arriving persons who are already registered but whose record the registrar does not find.
const knownBefore = 0.15;

/** Returns the attributes that a registrar can read if a person's papers are damaged or in another script. */
function writtenDown({ attributes }: Person): Attributes {
  const { placeOfBirth: _left, spouseName: _too, firstName, ...known } = attributes;
  const plain = String(firstName).normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
  return { ...known, firstName: plain };
}

/** Registers a person a second time, and plans to merge the two records some weeks later. */
function registerAgain(country: Country, date: string, person: Person): Occurrence {
  const { chance, agenda } = country;
  const uin = country.nextUin();
  // The records are merged into the first record, even if the person has died since then.
  agenda.plan(daysAfter(date, chance.between(20, 120)), (day) => {
    const merge = { change: 'merge', keep: person.uin, duplicates: [uin] } as const;
    return [occurrence(day, 'duplicatePerson', { uin: person.uin, duplicates: [uin] }, [merge])];
  });
  const attributes = writtenDown(person);
  return occurrence(date, 'newPerson', { uin }, [{ change: 'register', uin, attributes }]);
}

export function arrive(country: Country, date: string): readonly Occurrence[] {
  const { chance } = country;
  if (chance.is(knownBefore)) {
    const person = country.pick((one) =>
      ageOn(date, one) >= 1 && one.attributes.firstName && one.attributes.lastName ? 1 : 0,
    );
    return person ? [registerAgain(country, date, person)] : [];
  }
  const people = chance.one(peoples);
  const gender = chance.is(0.5) ? 1 : 2;
  const bornOn = daysAfter(date, -chance.between(18 * 365, 45 * 365));
  const attributes = {
    firstName: givenName(people, gender, chance.rank(people.givenNames)),
    lastName: familyName(people, chance.rank(people.familyNames)),
    gender,
    dateOfBirth: bornOn,
    status: 'alive',
  };
  const { uin } = country.settle({ people, home: country.somePlace(), bornOn, gender, attributes });
  return [occurrence(date, 'newPerson', { uin }, [{ change: 'register', uin, attributes }])];
}

/** Returns a value for the first missing attribute, or a corrected place of birth if no attribute is missing. */
function correctionOf(country: Country, { attributes, bornOn, gender, home, people }: Person): AttributeChanges {
  const { chance } = country;
  const known = {
    dateOfBirth: bornOn,
    lastName: familyName(people, chance.rank(people.familyNames)),
    firstName: givenName(people, gender, chance.rank(people.givenNames)),
    gender,
    status: 'alive',
    placeOfBirth: home,
  };
  const missing = Object.entries(known).find(([name]) => attributes[name] === undefined);
  return missing ? Object.fromEntries([missing]) : { placeOfBirth: country.somePlace() };
}

export function correct(country: Country, date: string): readonly Occurrence[] {
  const person = country.pick(({ attributes }) => (Object.keys(attributes).length < 6 ? 1 : 0.2));
  if (person === undefined) return [];
  return [occurrence(date, 'updatePerson', { uin: person.uin }, [change(person, correctionOf(country, person))])];
}

/** Reports a person as missing. Most missing persons are found later. */
export function miss(country: Country, date: string): readonly Occurrence[] {
  const { chance, agenda, isLiving } = country;
  const person = country.pick(({ attributes: { status } }) => (status === 'alive' ? 1 : 0));
  if (person === undefined) return [];
  const statusChange = (day: string, status: string) =>
    occurrence(day, 'updatePerson', { uin: person.uin }, [change(person, { status })]);
  if (chance.is(0.9)) {
    agenda.plan(daysAfter(date, chance.between(1, 60)), (day) =>
      isLiving(person) ? [statusChange(day, 'alive')] : [],
    );
  }
  return [statusChange(date, 'missing')];
}
