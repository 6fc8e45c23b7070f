import { expect, it } from 'vitest';
import { handler as findPersons } from '../../../functions/persons/find-persons.ts';
import { population } from '../../../infra/local/demo/population/population.ts';
import { personIndexes } from '../../../shared/contract/tables.ts';
import { ndjson, useImports } from '../../harness/import-harness.ts';
import { chanceOf } from '../../simulation/clock/chance.ts';

const imports = useImports();
const named = 120;
const people = [...population({ size: named + 40 })];
const [movers, bystanders] = [people.slice(0, named), people.slice(named)];
const register = (citizens: typeof people) => citizens.map((one) => ({ change: 'register', ...one }));

// The import registers persons, gives them the names and dates of existing persons, and then merges, removes or renames
// the new persons.
const lines = [
  ...register(movers),
  ...movers.map(({ uin }, index) => {
    const { attributes } = bystanders[index % bystanders.length] ?? {};
    return { change: 'update', uin, attributes };
  }),
  ...movers.map(({ uin }, index) => {
    if (index % 3 === 0) return { change: 'update', uin, attributes: { lastName: null, dateOfBirth: '1815-12-10' } };
    return index % 3 === 1
      ? { change: 'merge', keep: movers[index - 1]?.uin, duplicates: [uin] }
      : { change: 'remove', uin };
  }),
];

// Searches for the existing persons by UIN and with each index.
const questions = bystanders.flatMap(({ uin, attributes }) => [
  { uin },
  ...Object.values(personIndexes).flatMap(({ partition, sort }) => {
    const [one, other] = [attributes[partition], attributes[sort]];
    return one === undefined || other === undefined ? [] : [{ [partition]: String(one), [sort]: String(other) }];
  }),
]);

async function answer(index: number): Promise<{ bystanders: string[]; others: number }> {
  const { json } = await imports.call(findPersons, { query: String(new URLSearchParams(questions[index])) });
  const found = (json as string[]).filter((uin) => bystanders.some((one) => one.uin === uin));
  return { bystanders: found, others: json.length - found.length };
}

it('searches for other persons return the same results before, during and after an import', async () => {
  await imports.import('imports/bystanders.ndjson', ndjson(...register(bystanders)));
  const before: string[][] = [];
  for (const index of questions.keys()) before.push((await answer(index)).bystanders);
  expect(before.every(({ length }) => length > 0)).toBe(true);

  const chance = chanceOf(1);
  const meanwhile = { asked: 0, withOthers: 0, changed: [] as unknown[] };
  let isAsking = false;
  imports.interfere({
    async call({ command }, go) {
      const done = await go();
      if (isAsking || !/^(?:PutItem|UpdateItem|TransactWriteItems)$/.test(command)) return done;
      isAsking = true;
      const index = chance.int(0, questions.length - 1);
      const found = await answer(index);
      meanwhile.asked += 1;
      if (found.others > 0) meanwhile.withOthers += 1;
      if (found.bystanders.join() !== before[index]?.join()) meanwhile.changed.push([questions[index], found]);
      isAsking = false;
      return done;
    },
  });
  const report = await imports.import('imports/people.ndjson', ndjson(...lines));
  imports.interfere({});
  expect(report).toMatchObject({ lines: lines.length, rejected: 0 });
  expect(meanwhile.changed).toEqual([]);
  expect(meanwhile.asked).toBeGreaterThan(20);
  // Some searches also returned imported persons, so they ran during the import.
  expect(meanwhile.withOthers).toBeGreaterThan(5);
  for (const index of questions.keys()) expect((await answer(index)).bystanders).toEqual(before[index]);
});
