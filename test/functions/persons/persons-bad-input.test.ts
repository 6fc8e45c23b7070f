import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { handler as findPersons } from '../../../functions/persons/find-persons.ts';
import { handler as generateUin } from '../../../functions/persons/generate-uin.ts';
import { handler as matchPerson } from '../../../functions/persons/match-person.ts';
import { handler as readPerson } from '../../../functions/persons/read-person.ts';
import { handler as verifyPerson } from '../../../functions/persons/verify-person.ts';
import { errorObject } from '../../../shared/domain/error.ts';
import { loadPersons } from '../../harness/load-persons.ts';
import { usePersonsHarness } from '../../harness/persons-harness.ts';

const harness = usePersonsHarness();
const { call, calls } = harness;

const uin = '123456789018';
const ada = { uin, attributes: { firstName: 'Ada', status: 'alive' } };
beforeAll(() => loadPersons(harness.dynamodb.client, harness.tables.persons, [ada]));

// None of the requests in this file reads or changes the registry.
let before: unknown;
beforeEach(async () => {
  before = await harness.rows('persons');
});
afterEach(async () => {
  expect(calls).toEqual([]);
  expect(await harness.rows('persons')).toEqual(before);
});

async function clientErrorOf(
  ...[handler, given]: Parameters<typeof call>
): Promise<{ status: number; message: string }> {
  const { status, json } = await call(handler, { path: { uin }, ...given });
  return { status, ...errorObject.parse(json) };
}

// The tests in `test/domain` and `test/lambda` cover every kind of invalid attribute and body.
test.each([
  ['an invalid value after a valid value', '{"firstName":"Ada","gender":3}', 'gender'],
  ['an unknown attribute', '{"firstName":"Ada","first name":3}', 'first name'],
  ['a duplicate attribute', '{"firstName":"Ada","first\\u004eame":"Ada"}', 'firstName'],
  ['only blank values', '{"firstName":"","gender":null}', 'neither blank nor null'],
])('minting rejects %s, with or without an Idempotency-Key', async (_what, body, named) => {
  for (const headers of [{}, { 'Idempotency-Key': 'k' }]) {
    const { status, message } = await clientErrorOf(generateUin, { body, headers });
    expect([status, message]).toEqual([400, expect.stringContaining(named)]);
    expect(message.length).toBeLessThan(300);
  }
});

test.each([
  ['minting rejects a UIN that the caller provides', generateUin, '{"uin":"123456789018","firstName":"Ada"}', 'uin'],
  ['matching rejects a value of the wrong type', matchPerson, '{"uin":7}', 'uin must'],
] as const)('%s', async (_what, handler, body, named) => {
  const { status, message } = await clientErrorOf(handler, { body });
  expect([status, message]).toEqual([400, expect.stringContaining(named)]);
});

test.each([
  ['no attribute', findPersons, 'transactionId=7&limit=5&names=firstName', 'attribute'],
  ['one attribute twice', findPersons, 'lastName=x&lastName=x', 'lastName'],
  ['an invalid date', findPersons, 'dateOfBirth=2023-02-29', 'dateOfBirth'],
  ['an unknown attribute', findPersons, '__proto__=x', '"__proto__" is not an attribute'],
  ['no names', readPerson, '', 'attributeNames'],
  ['an empty name after a valid name', readPerson, 'attributeNames=firstName,', 'attributeNames'],
  ['101 names', readPerson, `attributeNames=${Array(101).keys().toArray()}`, 'attributeNames'],
] as const)('a query with %s is rejected', async (_what, handler, query, named) => {
  const { status, message } = await clientErrorOf(handler, { query });
  expect([status, message]).toEqual([400, expect.stringContaining(named)]);
});

const expression = (more: object): string =>
  JSON.stringify([{ attributeName: 'firstName', operator: '=', value: 'Ada', ...more }]);
test.each([
  ['an object', expression({}).slice(1, -1), 'body must be a list'],
  ['an array of text', '["firstName"]', 'body.0 must be an object with attributeName'],
  ['an unknown name', expression({ attributeName: 'firstname' }), '"firstname"'],
  ['a name that is not text', expression({ attributeName: 7 }), 'attributeName'],
  ['an unknown operator', expression({ operator: '!=' }), 'operator'],
  ['no operator', expression({ operator: undefined }), 'operator'],
  ['no value', expression({ value: undefined }), 'value'],
  ['null for a value', expression({ value: null }), 'value'],
  ['a fraction for a value', expression({ value: 1.5 }), 'value'],
  ['an array for a value', expression({ value: ['Ada'] }), 'value'],
  ['an unknown field', expression({ negate: true }), 'attributeName, operator and value, and nothing else'],
  ['__proto__', '[{"attributeName":"firstName","operator":"=","value":"x","__proto__":{}}]', 'and nothing else'],
])('verifying rejects %s', async (_what, body, named) => {
  const { status, message } = await clientErrorOf(verifyPerson, { body });
  expect([status, message]).toEqual([400, expect.stringContaining(named)]);
});
