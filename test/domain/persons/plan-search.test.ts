import fc from 'fast-check';
import { expect, it } from 'vitest';
import { population } from '../../../infra/local/demo/population/population.ts';
import { personIndexes, tables } from '../../../shared/contract/tables.ts';
import type { Attributes } from '../../../shared/domain/persons/attributes.ts';
import { foldAttributes, indexKeys, planSearch } from '../../../shared/domain/persons/plan-search.ts';

const indexes = Object.values(personIndexes);
const ada = {
  firstName: 'Ada',
  lastName: 'King',
  spouseName: 'William King',
  dateOfBirth: '1815-12-10',
  placeOfBirth: 'London',
  gender: 2,
  dateOfDeath: '1852-11-27',
  placeOfDeath: 'London',
  status: 'dead',
};
const plan = (...names: (keyof typeof ada)[]) =>
  planSearch(Object.fromEntries(names.map((name) => [name, ada[name]])), personIndexes);

it.each<[given: (keyof typeof ada)[], index: keyof typeof personIndexes, filtered: string[]]>([
  [['lastName', 'dateOfBirth'], 'byBirth', []],
  [['lastName', 'firstName'], 'byName', []],
  [['firstName', 'dateOfBirth'], 'byFirstName', []],
  [['dateOfBirth'], 'byBirth', []],
  [['spouseName'], 'bySpouse', []],
  [['dateOfDeath'], 'byDeath', []],
  [['dateOfDeath', 'placeOfDeath'], 'byDeath', []],
  [['placeOfBirth', 'dateOfBirth'], 'byBirthPlace', []],
  [['lastName', 'firstName', 'dateOfBirth', 'gender'], 'byBirth', ['firstName', 'gender']],
  [['lastName', 'gender'], 'byName', ['gender']],
  [['firstName', 'dateOfDeath'], 'byDeath', ['firstName']],
  [['firstName', 'spouseName'], 'bySpouse', ['firstName']],
  [['spouseName', 'placeOfDeath', 'dateOfDeath'], 'byDeath', ['spouseName']],
])('for %j, planSearch queries the index %s and filters by the other attributes', (given, index, filtered) => {
  const found = plan(...given);
  expect(found).toMatchObject({ by: 'index', index });
  expect(Object.keys(found.rest).toSorted()).toEqual(filtered.toSorted());
});

it.each([[['gender', 'status']], [['placeOfBirth']], [['placeOfDeath', 'gender']]] as const)(
  'planSearch plans a limited scan for %j because no index matches',
  (given) => {
    expect(plan(...given)).toMatchObject({ by: 'scan' });
  },
);

it('planSearch searches by UIN if the query contains a UIN, regardless of the other attributes', () => {
  expect(planSearch({ ...ada, uin: '17' }, personIndexes)).toEqual({
    by: 'uin',
    uin: '17',
    rest: foldAttributes(ada),
  });
});

it('planSearch does not use an attribute as a key if its folded value is empty', () => {
  expect(planSearch({ lastName: '\u0301' }, personIndexes)).toEqual({ by: 'scan', rest: { lastName: '' } });
  expect(planSearch({ lastName: '\u0301', dateOfBirth: '2024-02-29' }, personIndexes)).toMatchObject({
    by: 'index',
    index: 'byBirth',
    rest: { lastName: '' },
  });
});

it('planSearch uses no index whose partition attribute has only a few distinct values', () => {
  const partitions = indexes.map(({ partition }) => partition);
  expect(partitions).not.toContain('gender');
  expect(partitions).not.toContain('status');
  expect(partitions.filter((name) => name.startsWith('place'))).toEqual([]);
  for (const { includes } of Object.values(tables.persons.indexes)) expect(includes).toEqual(['folded']);
});

const odd = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 256 });
const person = fc.oneof(
  fc.integer({ min: 1, max: 500 }).map((seed) => population({ size: 1, seed }).next().value?.attributes ?? {}),
  fc.record(
    { firstName: odd, lastName: odd, spouseName: odd, dateOfBirth: fc.constant('2024-02-29') },
    { requiredKeys: [] },
  ),
  fc.constant({ firstName: '\u0301', lastName: ' \u0308 ', dateOfBirth: '2024-02-29' }),
  fc.constant({ firstName: '\ufdfa'.repeat(256), lastName: '\ufdfa'.repeat(256) }),
);

it("agree, so that a search by any of a person's attributes finds that person", () => {
  fc.assert(
    fc.property(person, fc.infiniteStream(fc.boolean()), (attributes: Attributes, isAsked) => {
      const folded = foldAttributes(attributes);
      const query = Object.entries(attributes).filter(() => isAsked.next().value);
      const found = planSearch(Object.fromEntries(query), personIndexes);
      expect(folded).toMatchObject(found.rest);
      if (found.by === 'index') expect(indexKeys(folded, indexes)).toMatchObject(found.keys);
    }),
    { numRuns: 1000 },
  );
});

it('the search plan and the stored row contain no blank keys and no keys longer than 1,024 bytes', () => {
  fc.assert(
    fc.property(person, (attributes) => {
      for (const key of Object.values(indexKeys(foldAttributes(attributes), indexes))) {
        expect(key).not.toBe('');
        expect(Buffer.byteLength(key)).toBeLessThanOrEqual(1024);
      }
    }),
  );
});
