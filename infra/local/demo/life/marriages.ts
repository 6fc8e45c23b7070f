import { fullName } from '../population/population.ts';
import { daysAfter } from './agenda.ts';
import { findFather } from './births-and-deaths.ts';
import type { Country } from './country.ts';
import { type AttributeChanges, type Occurrence, occurrence } from './occurrence.ts';
import { ageOn, areKin, change, type Person, part, renameSpouseOf } from './person.ts';

const annulledPerMarriage = 0.01;
// The share of divorced persons who resume their former name.
const takeBack = 0.5;

const isFree = (date: string, person: Person, gender: 1 | 2): boolean =>
  person.gender === gender && person.spouse === undefined && ageOn(date, person) >= 18;

/** Returns the relative probability of marriage at an age. The probability is highest at the age of 30. */
const readiness = (age: number): number => Math.max(0.01, 1 - Math.abs(age - 30) / 25);

/** Returns the bride's partner, or a man of about her age, usually from her ethnic group. */
function findGroom(country: Country, date: string, bride: Person): Person | undefined {
  if (country.isLiving(bride.partner)) return findFather(country, date, bride);
  return country.pick((groom) => {
    const older = ageOn(date, groom) - ageOn(date, bride);
    if (!isFree(date, groom, 1) || older < -6 || older > 12 || areKin(bride, groom)) return 0;
    return groom.people === bride.people ? 1 : 0.03;
  });
}

/**
 * Returns the bride's new family name according to the customs of her ethnic group; an empty object if she keeps her
 * name.
 */
function newNameOf({ chance }: Country, bride: Person, groom: Person): AttributeChanges {
  const { take, join } = bride.people.brides;
  const [own, his] = [bride, groom].map(({ attributes }) => attributes.lastName);
  const drawn = chance.between(1, 100);
  if (his === undefined || own === his || groom.people !== bride.people) return {};
  if (drawn <= take) return { lastName: his };
  const canJoin = own !== undefined && !`${own}${his}`.includes('-');
  return drawn <= take + join && canJoin ? { lastName: `${own}-${his}` } : {};
}

const spouseNameOf = ({ attributes, people }: Person): AttributeChanges => {
  const spouseName = fullName(attributes, people);
  return spouseName === '' ? {} : { spouseName };
};

/**
 * Makes children legitimate who were born to the couple before the marriage. Children under 18 take the groom's family
 * name.
 */
function legitimate(date: string, bride: Person, groom: Person): Occurrence[] {
  const theirs = [...bride.children].filter(({ father, isBornOutOfWedlock }) => father === groom && isBornOutOfWedlock);
  return theirs.map((child) => {
    child.isBornOutOfWedlock = false;
    const { lastName } = groom.attributes;
    const isRenamed = lastName !== undefined && child.attributes.lastName !== lastName && ageOn(date, child) < 18;
    const body = { uin: child.uin, uin1: groom.uin, uin2: bride.uin };
    return occurrence(date, 'legitimation', body, isRenamed ? [change(child, { lastName })] : []);
  });
}

function end(country: Country, date: string, type: 'divorce' | 'annulment', one: Person, other: Person): Occurrence {
  for (const ex of [one, other]) if (ex.partner === one || ex.partner === other) ex.partner = undefined;
  const changes = part(one, other, []);
  for (const ex of [one, other]) {
    const { nameBefore } = ex;
    const isBack = nameBefore !== undefined && (type === 'annulment' || country.chance.is(takeBack));
    changes.push(change(ex, { spouseName: null, ...(isBack && { lastName: nameBefore }) }));
    ex.nameBefore = undefined;
  }
  return occurrence(date, type, { uin1: one.uin, uin2: other.uin }, changes);
}

export function marry(country: Country, date: string): readonly Occurrence[] {
  const { chance, agenda } = country;
  const bride = country.pick((one) => {
    if (!isFree(date, one, 2)) return 0;
    const likely = readiness(ageOn(date, one));
    return one.partner ? likely : likely / 3;
  });
  const groom = bride && findGroom(country, date, bride);
  if (!bride || !groom) return [];
  const named = newNameOf(country, bride, groom);
  if (named.lastName !== undefined) bride.nameBefore = bride.attributes.lastName;
  bride.spouse = groom;
  groom.spouse = bride;
  const ofBride = { ...named, ...spouseNameOf(groom) };
  // No registered attribute of the bride changes if she keeps her name and the groom's name is unknown.
  const changes = [...(Object.keys(ofBride).length > 0 ? [change(bride, ofBride)] : []), ...renameSpouseOf(bride)];
  if (chance.is(annulledPerMarriage)) {
    agenda.plan(daysAfter(date, chance.between(20, 200)), (day) =>
      bride.spouse === groom ? [end(country, day, 'annulment', bride, groom)] : [],
    );
  }
  return [
    occurrence(date, 'marriage', { uin1: bride.uin, uin2: groom.uin }, changes),
    ...legitimate(date, bride, groom),
  ];
}

export function divorce(country: Country, date: string): readonly Occurrence[] {
  const one = country.pick(({ spouse, isSeparated }) => (spouse ? (isSeparated ? 1 : 0.1) : 0));
  return one?.spouse ? [end(country, date, 'divorce', one, one.spouse)] : [];
}

export function separate(country: Country, date: string): readonly Occurrence[] {
  const one = country.pick(({ spouse, isSeparated }) => (spouse && !isSeparated ? 1 : 0));
  if (!one?.spouse) return [];
  one.isSeparated = true;
  one.spouse.isSeparated = true;
  return [occurrence(date, 'separation', { uin1: one.uin, uin2: one.spouse.uin }, [])];
}
