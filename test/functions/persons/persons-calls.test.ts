import { beforeAll, expect, test } from 'vitest';
import { handler as findPersons } from '../../../functions/persons/find-persons.ts';
import { handler as generateUin } from '../../../functions/persons/generate-uin.ts';
import { handler as matchPerson } from '../../../functions/persons/match-person.ts';
import { handler as readPerson } from '../../../functions/persons/read-person.ts';
import { handler as verifyPerson } from '../../../functions/persons/verify-person.ts';
import { usePersonsHarness } from '../../harness/persons-harness.ts';

const { call, calls } = usePersonsHarness();
const ada = JSON.stringify({ firstName: 'Ada', lastName: 'King', dateOfBirth: '1815-12-10', gender: 2 });

/** Mints a UIN, then clears the list of recorded calls. */
async function minted(): Promise<{ uin: string }> {
  const { json } = await call(generateUin, { body: ada });
  calls.length = 0;
  return { uin: String(json) };
}

// The first call also reads a secret.
beforeAll(minted);

test('minting uses one write', async () => {
  expect((await call(generateUin, { body: ada })).status).toBe(200);
  expect(calls).toEqual(['TransactWriteItems']);
});

test.each([
  ['an Idempotency-Key', { headers: { 'Idempotency-Key': 'one' } }],
  ['a transactionId', { query: 'transactionId=two' }],
])('minting with %s uses one transaction, and a repetition uses one transaction and one read', async (_name, keyed) => {
  const first = await call(generateUin, { body: ada, ...keyed });
  expect(calls).toEqual(['TransactWriteItems']);
  const again = await call(generateUin, { body: ada, ...keyed });
  expect(again.json).toBe(first.json);
  expect(calls).toEqual(['TransactWriteItems', 'TransactWriteItems', 'GetItem']);
});

const readAndNote = ['GetItem', 'PutItem'];

test('reading a person uses one read by key and one journal write, whether or not the person exists', async () => {
  const path = await minted();
  await call(readPerson, { path, query: 'attributeNames=firstName,gender,status,shoeSize' });
  await call(readPerson, { path: { uin: '1' }, query: 'attributeNames=firstName' });
  expect(calls).toEqual([...readAndNote, ...readAndNote]);
});

test('reading treats two Unicode spellings of an attribute name as the same name', async () => {
  const path = await minted();
  const { json } = await call(readPerson, { path, query: 'attributeNames=pr%C3%A9nom,pre%CC%81nom' });
  expect(json).toEqual({ prénom: { code: 1023, message: 'this person has no prénom' } });
});

test('matching and verifying each use one read by key and one journal write', async () => {
  const path = await minted();
  await call(matchPerson, { path, body: '{"firstName":"Ada","gender":1,"status":"x","shoeSize":1}' });
  expect(calls).toEqual(readAndNote);
  await call(verifyPerson, { path, body: '[{"attributeName":"gender","operator":"=","value":2}]' });
  expect(calls).toEqual([...readAndNote, ...readAndNote]);
});

test.each([
  ['uin=1', 'GetItem'],
  ['lastName=king&dateOfBirth=1815-12-10', 'Query'],
  ['gender=2&status=dead', 'Scan'],
])('a search by %s makes at most one call each for the page, the journal and the limit', async (query, command) => {
  await minted();
  expect((await call(findPersons, { query })).status).toBe(200);
  const reads = new Set(['GetItem', command]);
  expect(calls.toSorted()).toEqual(['BatchWriteItem', ...reads]);
});
