import type { Attributes } from '../../../../shared/domain/persons/attributes.ts';
import { type Chance, createChance, uinAt } from '../population/chance.ts';
import { placeName } from '../population/names.ts';
import { type Household, households, type Member } from '../population/population.ts';
import { type Agenda, createAgenda } from './agenda.ts';
import type { Minted } from './occurrence.ts';
import { makeParents, type Person } from './person.ts';

/** Requests a UIN for a newborn from the registry. Each birth has its own idempotency key. */
export type Mint = (attributes: Attributes, key: string) => Promise<string> | string;

export interface CountryOptions {
  readonly size: number;
  readonly seed?: number;
  readonly mint: Mint;
}

type Newcomer = Pick<Person, 'people' | 'home' | 'bornOn' | 'gender' | 'attributes'>;

export interface Country {
  readonly chance: Chance;
  readonly agenda: Agenda;
  readonly living: readonly Person[];
  isLiving(person: Person | undefined): person is Person;
  /**
   * Draws random living persons until one is accepted. `weight` returns the probability, from 0 to 1, that a drawn
   * person is accepted. Returns undefined if too many drawn persons are rejected.
   */
  pick(weight: (person: Person) => number): Person | undefined;
  nextUin(): string;
  settle(person: Newcomer, uin?: string): Person;
  bear(person: Newcomer): Promise<{ child: Person; minted: Minted }>;
  leave(person: Person): void;
  somePlace(): string;
}

const places = 2000;
const maxDraws = 4000;

/** Creates a country. Only living persons and future occurrences are kept in memory. */
export function createCountry({ size, seed = 1, mint }: CountryOptions): Country {
  const chance = createChance(seed ^ 0x5eed);
  const living: Person[] = [];
  const agenda = createAgenda();
  let nextIndex = size;
  let births = 0;

  function settle(newcomer: Newcomer, uin = uinAt(nextIndex++)): Person {
    const person: Person = { ...newcomer, uin, children: new Set(), place: living.length };
    living.push(person);
    return person;
  }

  function leave(person: Person): void {
    const last = living.pop() as Person;
    if (last !== person) {
      living[person.place] = last;
      last.place = person.place;
    }
    person.place = -1;
    makeParents(person, undefined, undefined);
    for (const child of person.children) {
      if (child.mother === person) child.mother = undefined;
      if (child.father === person) child.father = undefined;
    }
    person.children.clear();
    person.spouse = undefined;
    person.partner = undefined;
  }

  const isLiving = (person: Person | undefined): person is Person => person !== undefined && person.place >= 0;

  let index = 0;
  const settleHousehold = ({ people, home, members, mother, father, children, couple }: Household): void => {
    const persons = new Map<Member, Person>();
    for (const member of members) {
      if (index === size) break;
      const uin = uinAt(index++);
      if (member.attributes.dateOfDeath === undefined) persons.set(member, settle({ people, home, ...member }, uin));
    }
    const [one, other] = (couple ?? []).map((member) => persons.get(member));
    if (one && other) {
      one.spouse = other;
      other.spouse = one;
    }
    for (const child of children.map((member) => persons.get(member))) {
      if (child) makeParents(child, persons.get(mother), persons.get(father));
    }
  };
  for (const household of households({ seed })) {
    if (index === size) break;
    settleHousehold(household);
  }

  return {
    chance,
    agenda,
    living,
    isLiving,
    pick(weight) {
      for (let look = 0; look < maxDraws && living.length > 0; look++) {
        const person = chance.one(living);
        if (chance.is(weight(person))) return person;
      }
      return undefined;
    },
    nextUin: () => uinAt(nextIndex++),
    settle,
    async bear(newborn) {
      births += 1;
      const uin = await mint(newborn.attributes, `birth-${seed}-${newborn.bornOn}-${births}`);
      return { child: settle(newborn, uin), minted: { uin, attributes: newborn.attributes } };
    },
    leave,
    somePlace: () => placeName(chance.rank(places)),
  };
}
