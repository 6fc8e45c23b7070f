import { beforeAll, expect, test } from 'vitest';
import { type Citizen, population } from '../../../infra/local/demo/population/population.ts';
import { loadPersons } from '../../harness/load-persons.ts';
import { usePersonsHarness } from '../../harness/persons-harness.ts';

const harness = usePersonsHarness({ searchRowsPerMinute: '1000000' });
const { calls, find, refused } = harness;
const day = '2024-02-29';

/** Yields 1,000 persons with one last name, 1,001 with another, and several 1 MB pages of persons with a third. */
function* registry(): Generator<Citizen> {
  // The first names are in the reverse order of the UINs, so no index returns persons in the order of the response.
  const some = (count: number, from: number, lastName: string, more = {}) =>
    Array.from({ length: count }, (_, index) => {
      const firstName = `N${(count - index) * 7919}`;
      return { uin: String(from + index), attributes: { firstName, lastName, ...more } };
    });
  yield* some(1000, 20_000, 'Thousand', { dateOfBirth: day });
  yield* some(1001, 10_000, 'Thousand and One');
  yield* some(2500, 30_000, 'Long', { reasonOfDeath: 'r'.repeat(256), placeOfDeath: 'p'.repeat(256), gender: 1 });
  for (const { uin, attributes } of population({ size: 2500 })) yield { uin: `9${uin}`, attributes };
}

beforeAll(() => loadPersons(harness.dynamodb.client, harness.tables.persons, registry()));

test('findPersons returns a thousand matches in ascending order', async () => {
  const uins = await find('lastName=thousand');
  expect(uins).toEqual(Array.from({ length: 1000 }, (_, index) => String(20_000 + index)));
});

test('findPersons without a limit returns an error that asks for more attributes if more than a thousand persons match', async () => {
  const { status, code, message } = await refused('lastName=thousand%20and%20one');
  expect([status, code]).toEqual([400, 1011]);
  expect(message).toMatch(/more than 1000 persons match.*more attributes/);
});

test('findPersons returns pages without gaps or duplicates', async () => {
  const pages: string[][] = [];
  for (const offset of [0, 400, 800]) {
    const limit = Math.min(400, 1000 - offset);
    pages.push(await find(`lastName=Thousand and One&limit=${limit}&offset=${offset}`));
  }
  expect(pages.map(({ length }) => length)).toEqual([400, 400, 200]);
  expect(pages.flat()).toEqual(Array.from({ length: 1000 }, (_, index) => String(10_000 + index)));
});

test('findPersons returns the last match at the last offset and an empty page after the last match', async () => {
  expect(await find('uin=20000&limit=5&offset=1')).toEqual([]);
  expect(await find('lastName=Thousand and One&limit=1&offset=999')).toEqual(['10999']);
  expect(await find('lastName=thousand&offset=999')).toEqual(['20999']);
});

test('findPersons reads all pages of matches for a common name, with one call per page', async () => {
  const uins = await find('lastName=long&limit=500&offset=500');
  expect(uins).toHaveLength(500);
  const reads = calls.filter((command) => command === 'Query');
  expect(reads.length).toBeGreaterThan(1);
  expect(calls.filter((command) => command === 'BatchWriteItem')).toHaveLength(1000 / 25);
  calls.length = 0;
  expect(await find('lastName=long&gender=2')).toEqual([]);
  expect(calls.length).toBeGreaterThan(1);
});

test.each(['gender=2', 'placeOfBirth=Alberste', 'reasonOfDeath=stroke', 'status=missing&gender=1&limit=10', 'tribe=x'])(
  'findPersons rejects %s after reading at most 4 MB, and suggests more selective attributes',
  async (query) => {
    const { status, code, message } = await refused(query);
    expect([status, code]).toEqual([400, 1011]);
    for (const name of ['dateOfBirth', 'lastName', 'firstName', 'spouseName', 'dateOfDeath']) {
      expect(message).toContain(name);
    }
    expect(calls.filter((command) => command === 'Scan').length).toBeLessThanOrEqual(4);
  },
);
