import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { handler as findPersons } from '../../../functions/persons/find-persons.ts';
import { handler as readPerson } from '../../../functions/persons/read-person.ts';
import { useClock } from '../../harness/clock.ts';
import { loadPersons } from '../../harness/load-persons.ts';
import { usePersonsHarness } from '../../harness/persons-harness.ts';

const clock = useClock();
const harness = usePersonsHarness({ searchRowsPerMinute: '1000' });
const { call, calls, rows } = harness;

const victim = '5000';
const secret = { dateOfBirth: '1971-03-17', reasonOfDeath: 'stroke' };
/** Returns persons with lower UINs than the victim, so that searches return the victim last. */
const decoys = (count: number, lastName: string) =>
  Array.from({ length: count }, (_, index) => ({ uin: String(1000 + index), attributes: { ...secret, lastName } }));
beforeAll(() =>
  loadPersons(harness.dynamodb.client, harness.tables.persons, [
    ...decoys(100, 'Decoy').map(({ uin, attributes }) => ({ uin: `1${uin}`, attributes })),
    ...decoys(20, 'Few').map(({ uin, attributes }) => ({ uin: `2${uin}`, attributes })),
    { uin: '30000', attributes: { ...secret, lastName: 'Decoy' } },
    { uin: '30001', attributes: { ...secret, lastName: 'Few' } },
    { uin: victim, attributes: { ...secret, lastName: 'Victim' } },
  ]),
);

const find = (query: string, caller = 'searcher') => call(findPersons, { query, caller });
const rowsOf = async (uin: string) => (await rows('journal')).filter((row) => row.uin === uin);

describe('the journal of searches', () => {
  test.each(['', '&names=firstName'])('the journal records the persons before the page: offset%s', async (names) => {
    const { json } = await find(`dateOfBirth=${secret.dateOfBirth}&lastName=Decoy&limit=1&offset=100${names}`);
    expect(json).toHaveLength(1);
    expect(await rows('journal')).toHaveLength(101);
    const [[skipped], [shown]] = [await rowsOf('11000'), await rowsOf('30000')];
    expect([skipped, shown]).toMatchObject([{ by: ['dateOfBirth', 'lastName'] }, { by: ['dateOfBirth', 'lastName'] }]);
    // The caller received only the attributes of the person on the page.
    expect([skipped?.names, shown?.names]).toEqual([undefined, names === '' ? undefined : ['firstName']]);
  });

  test.each(['offset=1', 'offset=1&limit=1', 'offset=900&limit=100&names=firstName'])(
    'the journal records the match even if the page is empty: %s',
    async (page) => {
      expect((await find(`lastName=Victim&reasonOfDeath=stroke&${page}`)).json).toEqual([]);
      expect(await rowsOf(victim)).toMatchObject([{ by: ['lastName', 'reasonOfDeath'] }]);
    },
  );

  test('the journal records all counted persons if a search fails because too many persons match', async () => {
    const { status, json } = await find('lastName=Decoy&reasonOfDeath=stroke&names=firstName');
    expect([status, json.code]).toEqual([400, 1011]);
    expect(await rows('journal')).toHaveLength(101);
    expect(await rowsOf('30000')).toHaveLength(1);
  });

  test('the journal does not record the persons after the page', async () => {
    expect((await find('lastName=Decoy&limit=20&offset=1')).json).toHaveLength(20);
    expect(await rows('journal')).toHaveLength(21);
  });
});

test.each(['limit=1000&offset=1', 'limit=2&offset=999', 'limit=100&offset=901&names=firstName'])(
  'a search with %s reads no data and returns an error that names both parameters and the fix',
  async (page) => {
    const { status, json } = await find(`lastName=Victim&${page}`);
    expect([status, json.code]).toEqual([400, 1002]);
    expect(json.message).toMatch(/^offset and limit in the query must add up to at most 1000: give more attributes/);
    expect(calls).toEqual([]);
  },
);

describe('a client whose searches have found a thousand persons within a minute', () => {
  const many = 'lastName=Decoy&limit=100';
  beforeEach(async () => {
    clock.moveTo(Math.ceil(clock.now() / 60_000) * 60_000 + 15_000);
    for (let times = 0; times < 10; times++) expect((await find(many)).status).toBe(200);
  });

  test('until the minute ends, a client over the limit gets 429 with Retry-After for searches with more than 20 matches', async () => {
    const { status, json, headers } = await find(many);
    expect([status, json.code, headers?.['retry-after']]).toEqual([429, 1432, '45']);
    expect(json.message).toMatch(/1000 persons in a minute: try again in 45 seconds, or give more attributes/);
    clock.moveTo(clock.now() + 45_000);
    expect((await find(many)).status).toBe(200);
  });

  test('a client over the limit can still read persons and run searches with at most 20 matches', async () => {
    expect((await find('lastName=Victim')).json).toEqual([victim]);
    expect((await find('lastName=Decoy&limit=20')).json).toHaveLength(20);
    const read = { path: { uin: victim }, query: 'attributeNames=lastName', caller: 'searcher' };
    expect((await call(readPerson, read)).status).toBe(200);
  });

  test('a client over the limit does not affect the searches of other clients', async () => {
    expect((await find(many, 'other')).json).toHaveLength(100);
  });

  test('a client over the limit gets 429 for a search with 21 matches, and the journal records the 21st person', async () => {
    expect((await find('lastName=Few')).status).toBe(429);
    expect(await rowsOf('30001')).toMatchObject([{ caller: 'searcher' }]);
  });

  test('a client can exceed the limit by at most 50 %, and then gets 429 for every search that may have more than 20 matches', async () => {
    for (let times = 0; times < 300; times++) await find(many);
    const written = (await rows('journal')).length;
    expect(written).toBeGreaterThan(1400);
    expect(written).toBeLessThanOrEqual(1521);
    for (const query of ['lastName=Victim', 'lastName=Nobody', 'lastName=Few'])
      expect([query, (await find(query)).status]).toEqual([query, 429]);
    expect(await rows('journal')).toHaveLength(written);
    expect((await find('lastName=Victim&limit=20')).json).toEqual([victim]);
    expect((await find(`uin=${victim}`)).json).toEqual([victim]);
  });
});
