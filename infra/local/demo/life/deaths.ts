import { causes } from '../population/households.ts';
import type { Country } from './country.ts';
import { type Occurrence, occurrence } from './occurrence.ts';
import { ageOn, change, part } from './person.ts';

/** Of those who reach an age, which share die in it, beside the others: it grows by a tenth a year (Gompertz). */
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
