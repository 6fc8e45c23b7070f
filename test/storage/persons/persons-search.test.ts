import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { type Citizen, population } from '../../../infra/local/demo/population/population.ts';
import { personIndexes } from '../../../shared/contract/tables.ts';
import { foldText } from '../../../shared/domain/fold-text.ts';
import { type Attributes, type AttributeValue, standardAttributes } from '../../../shared/domain/persons/attributes.ts';
import { planSearch } from '../../../shared/domain/persons/plan-search.ts';
import { persons } from '../../../shared/storage/persons/store.ts';
import { useDynamodb } from '../../harness/embedded.ts';
import { loadPersons } from '../../harness/load-persons.ts';

const dynamodb = useDynamodb();
let store: ReturnType<typeof persons.permissions.find>;

/** Families with realistic attribute values. */
const families = [...population({ size: 700, seed: 3 })];
const oddText = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.constantFrom('\u0301', '#', '-', '=', '\ufdfa'.repeat(200), '\ufdfa'.repeat(201), 'ß', 'ss', 'İ', 'i'),
);
const oddPerson = fc.record(
  {
    firstName: oddText,
    lastName: oddText,
    spouseName: oddText,
    placeOfBirth: oddText,
    placeOfDeath: oddText,
    dateOfBirth: fc.constantFrom('1999-12-31', '2000-01-01'),
    dateOfDeath: fc.constantFrom('2020-02-29', '2020-03-01'),
    gender: fc.constantFrom(0, 1, 2, 9),
  },
  { requiredKeys: [] },
);
const odd: Citizen[] = fc
  .sample(oddPerson, { numRuns: 200, seed: 3 })
  .map((attributes, index) => ({ uin: `${9000 + index}`, attributes }));
const people = [...families, ...odd];

beforeAll(async () => {
  const table = await dynamodb.createTable('persons');
  store = persons.permissions.find(dynamodb.client, table);
  await loadPersons(dynamodb.client, table, people);
});

async function find(attributes: Attributes) {
  const plan = planSearch(attributes, personIndexes);
  const uins: string[] = [];
  let [read, pages] = [0, 0];
  let page: Awaited<ReturnType<typeof store.page>> | undefined;
  do {
    page = await store.page(plan, page?.next);
    uins.push(...page.uins);
    read += page.read;
    pages += 1;
  } while (page.next);
  return { by: plan.by, uins: uins.toSorted(), read, pages };
}

const isText = (name: string) =>
  standardAttributes[name as keyof typeof standardAttributes].kind === 'text' && name !== 'uin';
const folded = new Map<AttributeValue, string>();
const fold = (value: AttributeValue): string => {
  const text = folded.get(value) ?? foldText(String(value));
  folded.set(value, text);
  return text;
};
const isSame = (name: string, held: AttributeValue | undefined, wanted: AttributeValue): boolean =>
  held === wanted || (held !== undefined && isText(name) && fold(held) === fold(wanted));
const scan = (wanted: Attributes): string[] =>
  people
    .filter(({ uin, attributes }) =>
      Object.entries(wanted).every(([name, value]) => isSame(name, { ...attributes, uin }[name], value)),
    )
    .map(({ uin }) => uin)
    .toSorted();

const misspell: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.normalize('NFD').replace(/[\u0300-\u036f]/g, ''),
  (text) => ` ${text.replaceAll(' ', '  ')} `,
];
const query = fc
  .record({
    someone: fc.constantFrom(...people),
    names: fc.subarray([...Object.keys(standardAttributes)], { minLength: 1, maxLength: 4 }),
    another: fc.option(fc.constantFrom(...people), { freq: 3 }),
    spell: fc.constantFrom(...misspell),
  })
  .map(({ someone, names, another, spell }): Attributes => {
    const held: Attributes = { ...someone.attributes, uin: someone.uin };
    const others: Attributes = { ...another?.attributes };
    const chosen = names.map((name, index) => [name, (index === 0 ? others[name] : undefined) ?? held[name]] as const);
    const given = chosen.filter((pair): pair is [string, AttributeValue] => pair[1] !== undefined);
    return Object.fromEntries(given.map(([name, value]) => [name, isText(name) ? spell(String(value)) : value]));
  })
  .filter((attributes) => Object.keys(attributes).length > 0);

it('a search returns the same persons as a comparison with every person', async () => {
  const ways = new Set<string>();
  await fc.assert(
    fc.asyncProperty(query, async (wanted) => {
      const { by, uins } = await find(wanted);
      ways.add(by);
      expect(uins).toEqual(scan(wanted));
    }),
    { numRuns: 200 },
  );
  expect([...ways].toSorted()).toEqual(['index', 'scan', 'uin']);
});

const keys = Object.values(personIndexes).flatMap(({ partition, sort }) => [[partition], [partition, sort]]);
it.each([...keys, ['uin']])(
  'a search by %s %s reads only the persons that it returns, and needs one call',
  async (...names) => {
    const held = families.map(({ uin, attributes }): Attributes => ({ ...attributes, uin }));
    const able = held.filter((one) => names.every((name) => one[name] !== undefined)).slice(0, 20);
    expect(able).toHaveLength(20);
    for (const one of able) {
      const { uins, read, pages } = await find(Object.fromEntries(names.map((name) => [name, one[name] ?? ''])));
      expect(uins).toContain(one.uin);
      expect([read, pages]).toEqual([uins.length, 1]);
    }
  },
);
