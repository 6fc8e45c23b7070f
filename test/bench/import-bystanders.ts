import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { uinAt } from '../../infra/local/demo/population/chance.ts';
import { type Citizen, population } from '../../infra/local/demo/population/population.ts';
import { personIndexes } from '../../shared/contract/tables.ts';
import type { Attributes } from '../../shared/domain/persons/attributes.ts';
import { planSearch } from '../../shared/domain/persons/plan-search.ts';
import { persons } from '../../shared/storage/persons/persons.ts';
import { loadPersons } from '../harness/load-persons.ts';
import type { Chance } from '../simulation/clock/chance.ts';
import { firstBystander } from './import-lines.ts';

// What each index is asked by, and the key.
const asked: readonly (readonly string[])[] = [
  ...Object.values(personIndexes).map(({ partition, sort }) => [partition, sort]),
  ['uin'],
];

/** Of somebody what is asked for; nothing where not all of it is known. */
function partOf({ uin, attributes }: Citizen, names: readonly string[]): Attributes[] {
  const all: Attributes = { ...attributes, uin };
  const part = Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
  return Object.keys(part).length === names.length ? [part] : [];
}

/**
 * People of whom no file speaks, and everything that they are searched by. Many have the name, or the day of birth, of
 * people in the file: of an answer counts who is one of them.
 */
export async function bystandersOf(client: DynamoDBClient, table: string, size: number) {
  const people = Array.from(population({ size, seed: 2 }), ({ attributes }, index) => ({
    uin: uinAt(firstBystander + index),
    attributes,
  }));
  await loadPersons(client, table, people);
  const uins = new Set(people.map(({ uin }) => uin));
  const questions = people.flatMap((one) => asked.flatMap((names) => partOf(one, names)));
  const store = persons.permissions.find(client, table);

  async function answer(wanted: Attributes): Promise<string[]> {
    const found: string[] = [];
    let page: Awaited<ReturnType<typeof store.page>> | undefined;
    do {
      page = await store.page(planSearch(wanted, personIndexes), page?.next);
      found.push(...page.uins.filter((uin) => uins.has(uin)));
    } while (page.next);
    return found.toSorted();
  }
  const before: string[][] = [];
  for (const wanted of questions) before.push(await answer(wanted));

  const isOther = async (index: number): Promise<boolean> =>
    !isDeepStrictEqual(await answer(questions[index] ?? {}), before[index]);

  return {
    people: new Map(people.map(({ uin, attributes }) => [uin, attributes])),
    questions: questions.length,
    /** Whether a question of these, by chance, is answered otherwise than before. */
    isOneOther: (chance: Chance): Promise<boolean> => isOther(chance.int(0, questions.length - 1)),
    /** How many of them all are. */
    async countOthers(): Promise<number> {
      let others = 0;
      for (const index of questions.keys()) if (await isOther(index)) others += 1;
      return others;
    },
  };
}

export type Bystanders = Awaited<ReturnType<typeof bystandersOf>>;
