import { beforeAll, expect, test } from 'vitest';
import { loadPersons } from '../../harness/load-persons.ts';
import { usePersonsHarness } from '../../harness/persons-harness.ts';

const harness = usePersonsHarness();
const { calls, refused } = harness;

const some = (count: number, from: number, lastName: string) =>
  Array.from({ length: count }, (_, index) => ({
    uin: String(from + index),
    attributes: { lastName, firstName: `N${index}`, ...(index % 2 ? { gender: 1 } : {}) },
  }));
beforeAll(() =>
  loadPersons(harness.dynamodb.client, harness.tables.persons, [
    ...some(3, 100, 'Three'),
    ...some(100, 1000, 'Hundred'),
    ...some(101, 2000, 'Hundred and one'),
  ]),
);

const find = (query: string) => harness.find<Record<string, unknown>[]>(query);
const lacks = { code: 1023, message: 'this person has no gender' };
const unknown = { code: 1023, message: 'unknown attribute name' };

test.each(['names=uin&names=gender&names=shoeSize', 'names=uin,gender,shoeSize', 'names=uin,gender&names=shoeSize'])(
  'findPersons with %s returns these attributes, with an Error object for each missing attribute',
  async (names) => {
    expect(await find(`lastName=three&${names}`)).toEqual([
      { uin: '100', gender: lacks, shoeSize: unknown },
      { uin: '101', gender: 1, shoeSize: unknown },
      { uin: '102', gender: lacks, shoeSize: unknown },
    ]);
    expect(calls.toSorted()).toEqual(['BatchGetItem', 'BatchWriteItem', 'GetItem', 'Query']);
  },
);

test('findPersons accepts attribute names that are also built-in object keys', async () => {
  const [first] = await find('uin=100&names=__proto__,constructor,toString');
  expect(Object.entries(first ?? {})).toEqual(['__proto__', 'constructor', 'toString'].map((name) => [name, unknown]));
});

test('findPersons with names returns an empty page without reading any persons', async () => {
  expect(await find('lastName=nobody&names=uin')).toEqual([]);
  expect(await find('lastName=three&names=uin&offset=3')).toEqual([]);
  expect(calls).not.toContain('BatchGetItem');
});

test('findPersons with names reads a hundred persons in one batch, returns them in order, and writes 25 journal rows at a time', async () => {
  const found = await find('lastName=hundred&names=uin,firstName');
  expect(found).toEqual(some(100, 1000, '').map(({ uin, attributes }) => ({ uin, firstName: attributes.firstName })));
  const written = Array.from({ length: 4 }, () => 'BatchWriteItem');
  expect(calls.toSorted()).toEqual(['BatchGetItem', ...written, 'GetItem', 'Query', 'UpdateItem']);
});

test('findPersons with names requires paging for more than a hundred persons, and the pages have no gaps or duplicates', async () => {
  const { status, code, message } = await refused('lastName=hundred and one&names=uin');
  expect([status, code, message]).toEqual([400, 1011, expect.stringMatching(/than 100 persons.*limit and offset/)]);
  const pages = [0, 40, 80].map((offset) => find(`lastName=hundred and one&names=uin&limit=40&offset=${offset}`));
  const uins = (await Promise.all(pages)).flat().map(({ uin }) => uin);
  expect(uins).toEqual(some(101, 2000, '').map(({ uin }) => uin));
});

test.each([
  ['lastName=three&names=uin&limit=101', 'limit in the query must be from 1 to 100'],
  ['lastName=three&names=', 'names.0 in the query must not be blank'],
  ['lastName=three&names=uin,', 'names.1 in the query must not be blank'],
  ['names=uin', 'give at least one attribute'],
  [
    `lastName=three&names=${Array(101).keys().toArray().join()}`,
    'names in the query must contain at most 100 attribute names',
  ],
])('findPersons rejects %.40s and states the reason', async (query, says) => {
  const { status, message } = await refused(query);
  expect([status, message]).toEqual([400, expect.stringContaining(says)]);
  expect(calls).toEqual([]);
});

test('findPersons rejects a request whose response would exceed the Lambda limit', async () => {
  const names = Array.from({ length: 100 }, (_, index) => encodeURIComponent(`${index}${'"'.repeat(250)}`)).join(
    '&names=',
  );
  const { status, code, message } = await refused(`lastName=hundred&names=${names}`);
  expect([status, code, message]).toEqual([400, 1010, expect.stringMatching(/fewer names.*smaller limit/)]);
  expect(await find(`lastName=hundred&names=${names}&limit=5`)).toHaveLength(5);
});

test('findPersons reads persons again if DynamoDB left them unprocessed', async () => {
  let rounds = 0;
  harness.interfere({
    async call(call, go) {
      if (call.command !== 'BatchGetItem') return go();
      rounds += 1;
      if (rounds > 1) return go();
      const { RequestItems } = call.input;
      return { output: { UnprocessedKeys: RequestItems } } as Awaited<ReturnType<typeof go>>;
    },
  });
  const found = await find('lastName=three&names=firstName');
  expect(found.map(({ firstName }) => firstName)).toEqual(['N0', 'N1', 'N2']);
  expect(rounds).toBe(2);
});
