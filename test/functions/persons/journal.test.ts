import { describe, expect, test } from 'vitest';
import { handler as findPersons } from '../../../functions/persons/find-persons.ts';
import { handler as generateUin } from '../../../functions/persons/generate-uin.ts';
import { handler as matchPerson } from '../../../functions/persons/match-person.ts';
import { handler as readJournal } from '../../../functions/persons/read-journal.ts';
import { handler as readPerson } from '../../../functions/persons/read-person.ts';
import { handler as verifyPerson } from '../../../functions/persons/verify-person.ts';
import type { Citizen } from '../../../infra/local/demo/population/population.ts';
import { settings } from '../../../shared/contract/settings.ts';
import type { JournalPage } from '../../../shared/domain/journal/journal-row.ts';
import { useClock } from '../../harness/clock.ts';
import { failing, losingResponse } from '../../harness/interference.ts';
import { loadPersons } from '../../harness/load-persons.ts';
import { usePersonsHarness } from '../../harness/persons-harness.ts';

const harness = usePersonsHarness();
const { call, rows, interfere, lines } = harness;

const uin = '123456789018';
/** Attribute values that appear only in the test person's row. */
const person = { firstName: 'Quillonia', lastName: 'Vexbarrow', dateOfBirth: '1971-03-17', tribe: 'Umbrafolk' };
const guess = 'Wrongname-1';

const journaled = async () =>
  (await rows('journal')).toSorted((one, other) => (String(one.moment) < String(other.moment) ? -1 : 1));

const load = (...people: Citizen[]) => loadPersons(harness.dynamodb.client, harness.tables.persons, people);
const register = (one: string) => load({ uin: one, attributes: person });

const asks = {
  read: [readPerson, { path: { uin }, query: `attributeNames=firstName,status,${guess}` }],
  match: [matchPerson, { path: { uin }, body: `{"firstName":"${guess}","${guess}":"x"}` }],
  verify: [verifyPerson, { path: { uin }, body: `[{"attributeName":"firstName","operator":"=","value":"${guess}"}]` }],
  find: [findPersons, { query: `lastName=${person.lastName}&tribe=${person.tribe}&names=firstName,${guess}` }],
} as const;
const told = {
  read: { operation: 'readPerson', uin, names: ['firstName', 'status'], unknownNames: 1 },
  match: { operation: 'matchPerson', uin, names: ['firstName'], unknownNames: 1 },
  verify: { operation: 'verifyPerson', uin, names: ['firstName'] },
  find: { operation: 'findPersons', uin, by: ['lastName', 'tribe'], names: ['firstName'], unknownNames: 1 },
} as const;
const all = Object.keys(asks) as (keyof typeof asks)[];

describe.each(all)('%s', (name) => {
  const [handler, given] = asks[name];

  test('the request is journaled with its caller, ID, time, attribute names and purpose, but without attribute values', async () => {
    await register(uin);
    const before = new Date().toISOString();
    const answer = await call(handler, { ...given, caller: 'notary-7', headers: { Purpose: 'caf%C3%A9 licence' } });
    expect(answer.status).toBe(200);
    const [row, ...more] = await journaled();
    expect(more).toEqual([]);
    expect(row).toMatchObject({ ...told[name], caller: 'notary-7', requestId: 'request-1', purpose: 'café licence' });
    const times = [before, String(row?.at), new Date().toISOString()];
    expect(times).toEqual(times.toSorted());
    for (const value of [...Object.values(person), guess]) expect(JSON.stringify(row)).not.toContain(value);
    expect([...lines.info, ...lines.error].join()).not.toContain('licence');
  });

  test('if the journal write fails, the request returns 500 without attribute values and the failure is logged', async () => {
    await register(uin);
    interfere(failing('PutItem', 'BatchWriteItem'));
    const { status, text } = await call(handler, given);
    expect(status).toBe(500);
    for (const value of Object.values(person)) expect(text).not.toContain(value);
    expect(lines.error.join()).toContain('notJournaled');
    expect(await journaled()).toEqual([]);
  });

  test('the journal shortens a caller name that is too long for a key, without splitting a character', async () => {
    await register(uin);
    const answer = await call(handler, { ...given, caller: `${'c'.repeat(511)}😀` });
    expect(answer.status).toBe(200);
    expect(await journaled()).toMatchObject([{ caller: `${'c'.repeat(511)}\ufffd` }]);
  });

  test('the request stays in the journal for the configured number of days', async () => {
    await call(handler, given);
    const [row] = await journaled();
    const days = (Number(row?.expiresAt) * 1000 - Date.parse(String(row?.at))) / 86_400_000;
    expect(days).toBeCloseTo(400, 3);
  });
});

test.each(['read', 'match', 'verify'] as const)('a request to %s an unknown UIN is also journaled', async (name) => {
  const [handler, given] = asks[name];
  expect((await call(handler, { ...given, path: { uin: 'no person' } })).status).toBe(404);
  expect(await journaled()).toMatchObject([{ uin: 'no person' }]);
});

describe('two requests with the same request ID in the same millisecond', () => {
  useClock();
  test.each(['read', 'find'] as const)('each of two requests to %s a person has its own journal row', async (name) => {
    const uins = ['decoy', 'victim'];
    for (const one of uins) {
      await load({ uin: one, attributes: { firstName: 'Twofold' } });
      if (name === 'read') await call(readPerson, { path: { uin: one }, query: 'attributeNames=firstName' });
      else await call(findPersons, { query: `uin=${one}` });
    }
    const told = await journaled();
    expect(told.map((row) => row.uin).toSorted()).toEqual(uins);
    expect(new Set(told.map((row) => `${row.requestId} ${row.at}`)).size).toBe(1);
  });
});

describe('searches', () => {
  test('a search without matches is journaled with the attributes of the search', async () => {
    expect((await call(findPersons, { query: 'lastName=Nobody&firstName=No' })).json).toEqual([]);
    const [row] = await journaled();
    expect(row).toMatchObject({ operation: 'findPersons', by: ['lastName', 'firstName'] });
    expect(row).not.toHaveProperty('uin');
    expect(row).not.toHaveProperty('uinShard');
  });

  test('a search by UIN without a match is journaled for that UIN, because the result reveals that other attributes differ', async () => {
    expect((await call(findPersons, { query: `uin=${uin}&lastName=Nobody` })).json).toEqual([]);
    expect(await journaled()).toMatchObject([{ uin, by: ['uin', 'lastName'] }]);
  });

  test('a search is journaled for every person in the response and for no other person', async () => {
    const uins = Array.from({ length: 60 }, (_, index) => String(900_000_000_000 + index));
    await load(...uins.map((one) => ({ uin: one, attributes: { firstName: 'Manyfold' } })));
    const { json } = await call(findPersons, { query: 'firstName=Manyfold&limit=55' });
    expect(json).toEqual(uins.slice(0, 55));
    expect((await journaled()).map((row) => row.uin)).toEqual(json);
    // The rows of one day, and the rows of one caller, are spread over many partition keys.
    for (const key of ['dayShard', 'callerShard']) {
      const perKey = Object.values(Object.groupBy(await journaled(), (row) => String(row[key])));
      expect(perKey.length).toBeGreaterThan(20);
    }
  });

  test('a search repeats only the journal writes that DynamoDB left unprocessed', async () => {
    await register(uin);
    let left = 2;
    interfere({
      async call(asked, go) {
        const answer = await go();
        if (asked.command !== 'BatchWriteItem' || left-- <= 0) return answer;
        return { output: { UnprocessedItems: asked.input.RequestItems } } as typeof answer;
      },
    });
    expect((await call(findPersons, { query: `lastName=${person.lastName}` })).json).toEqual([uin]);
    expect(await journaled()).toHaveLength(1);
    expect(left).toBeLessThan(0);
  });
});

test('a repeated journal write succeeds if the first write stored the row but its response was lost', async () => {
  await register(uin);
  const { interference, lost } = losingResponse('PutItem');
  interfere(interference);
  const [handler, given] = asks.read;
  expect((await call(handler, given)).status).toBe(200);
  expect(await journaled()).toHaveLength(1);
  expect(lost()).toBe(1);
});

test.each([{}, { 'Idempotency-Key': 'one' }])(
  "a mint (%j) records the registrar in the person's row",
  async (headers) => {
    const minted = await call(generateUin, { body: JSON.stringify(person), caller: 'notary-7', headers });
    const row = (await rows('persons')).find((one) => one.id === `person#${minted.json}`);
    expect(row).toMatchObject({ registeredBy: 'notary-7', registeredAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    const read = { path: { uin: minted.json }, query: 'attributeNames=firstName,registeredBy' };
    expect((await call(readPerson, read)).json).toMatchObject({ firstName: 'Quillonia', registeredBy: { code: 1023 } });
  },
);

describe('an auditor', () => {
  const clock = useClock();
  const whole = `${settings.oidcIssuer.default} notary`;
  const journalOf = async (asked: object) => ((await readJournal(asked)) as JournalPage).rows;

  test('an auditor can use the short or full name of a client to read its requests since a given time', async () => {
    await register(uin);
    for (const name of ['read', 'verify', 'match'] as const) {
      await call(asks[name][0], { ...asks[name][1], caller: whole, headers: { purpose: 'an inheritance' } });
      clock.pass(1000);
    }
    const found = await journalOf({ caller: 'notary' });
    expect(found).toMatchObject([told.read, told.verify, told.match]);
    expect(await journalOf({ caller: whole })).toEqual(found);
    expect(await journalOf({ caller: 'notary', since: found[1]?.at })).toEqual(found.slice(1));
    expect(await journalOf({ caller: 'no person' })).toEqual([]);
    expect((await journalOf({ caller: 'operator' })).map(({ ofCaller }) => ofCaller)).toContain(whole);
    for (const value of Object.values(person)) expect(JSON.stringify(found)).not.toContain(value);
  });

  test('a journal read is itself journaled with its purpose, and the log contains none of the returned data', async () => {
    await call(asks.read[0], { ...asks.read[1], headers: { purpose: 'an inheritance' } });
    await journalOf({ uin, purpose: 'asked by the person' });
    const recorded = { caller: 'operator', purpose: 'asked by the person' };
    expect(await journalOf({ uin })).toContainEqual(expect.objectContaining(recorded));
    expect(lines.info.join()).toContain('"performed"');
    expect(lines.info.join()).not.toMatch(new RegExp(`${uin}|inheritance`));
  });
});

describe('a purpose', () => {
  test.each([
    ['x'.repeat(257), 'at most 256'],
    ['caf\u00e9', 'percent-encode'],
    ['100%', 'percent sign'],
    ['a%0Ab', 'control characters'],
    ['a%E2%80%8Bb', 'U+200B'],
  ])('the purpose %j is rejected with an error that names the header, and no data is read', async (purpose, says) => {
    const [handler, given] = asks.read;
    const { status, json } = await call(handler, { ...given, headers: { purpose } });
    expect([status, json.code]).toEqual([400, 1002]);
    expect(json.message).toContain('purpose in the headers');
    expect(json.message).toContain(says);
    expect(harness.calls).toEqual([]);
  });

  test('a blank purpose counts as missing', async () => {
    const [handler, given] = asks.read;
    await call(handler, { ...given, headers: { purpose: '' } });
    expect((await journaled())[0]).not.toHaveProperty('purpose');
  });
});
