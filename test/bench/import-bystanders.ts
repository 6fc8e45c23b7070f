import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { uinAt } from '../../infra/local/demo/population/chance.ts';
import { type Citizen, population } from '../../infra/local/demo/population/population.ts';
import { personIndexes } from '../../shared/contract/tables.ts';
import type { Attributes } from '../../shared/domain/persons/attributes.ts';
import { planSearch } from '../../shared/domain/persons/plan-search.ts';
import { persons } from '../../shared/storage/persons/store.ts';
import { loadPersons } from '../harness/load-persons.ts';
import type { Chance } from '../simulation/clock/chance.ts';
import { firstBystander } from './import-lines.ts';

// The attributes that each search uses: the keys of an index, or the UIN.
const asked: readonly (readonly string[])[] = [
  ...Object.values(personIndexes).map(({ partition, sort }) => [partition, sort]),
  ['uin'],
];

/** Returns a person's values for the given attributes, or an empty list if a value is missing. */
function partOf({ uin, attributes }: Citizen, names: readonly string[]): Attributes[] {
  const all: Attributes = { ...attributes, uin };
  const part = Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
  return Object.keys(part).length === names.length ? [part] : [];
}

/**
 * Registers bystanders (people whom no file mentions), and runs all searches that find bystanders. Many bystanders
 * share a name or a birthday with people in the file, so only the bystanders in the results are compared.
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
    /** Returns whether a random search finds other bystanders than it found before the import. */
    isOneOther: (chance: Chance): Promise<boolean> => isOther(chance.int(0, questions.length - 1)),
    /** Returns the number of searches that find other bystanders than they found before the import. */
    async countOthers(): Promise<number> {
      let others = 0;
      for (const index of questions.keys()) if (await isOther(index)) others += 1;
      return others;
    },
  };
}

export type Bystanders = Awaited<ReturnType<typeof bystandersOf>>;
