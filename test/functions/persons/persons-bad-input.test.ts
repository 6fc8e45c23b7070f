import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { handler as findPersons } from '../../../functions/persons/find-persons.ts';
import { handler as generateUin } from '../../../functions/persons/generate-uin.ts';
import { handler as matchPerson } from '../../../functions/persons/match-person.ts';
import { handler as readPerson } from '../../../functions/persons/read-person.ts';
import { handler as verifyPerson } from '../../../functions/persons/verify-person.ts';
import { errorObject } from '../../../shared/domain/error.ts';
import { loadPersons } from '../../harness/load-persons.ts';
import { usePersonsHarness } from '../../harness/persons-harness.ts';
import { hugeBody, unknownNames, wrongAttributes, wrongBodies, wrongExpressions } from '../../harness/wrong-persons.ts';

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

const keyed = { headers: { 'Idempotency-Key': 'k' } };

describe('minting and matching reject', () => {
  test.each([...wrongAttributes, ...wrongBodies])('%s', async (_what, body, named) => {
    const isUin = body.startsWith('{"uin"');
    const answers = [await clientErrorOf(matchPerson, { body }), await clientErrorOf(generateUin, { body })];
    answers.push(await clientErrorOf(generateUin, { body, ...keyed }));
    for (const { status, message } of answers) {
      expect(status).toBe(400);
      expect(isUin ? message.slice(0, 3) : message).toContain(named);
      expect(message.length).toBeLessThan(300);
    }
  });

  test('minting, matching and verifying return 413 for a body over the size limit', async () => {
    for (const handler of [matchPerson, generateUin, verifyPerson]) {
      expect(await clientErrorOf(handler, { body: hugeBody })).toMatchObject({
        status: 413,
        message: expect.stringContaining('65536'),
      });
    }
  });

  test('bytes that are not UTF-8', async () => {
    const body = Buffer.from('7b2266697273744e616d65223a22ff227d', 'hex');
    for (const handler of [matchPerson, generateUin])
      expect(await clientErrorOf(handler, { body })).toMatchObject({ status: 400 });
  });
});

test.each(unknownNames)(
  'minting and searching reject the unknown attribute name %j and list the known names',
  async (name) => {
    const query = new URLSearchParams([
      ['lastName', 'x'],
      [name, 'x'],
    ]).toString();
    for (const answer of [
      await clientErrorOf(generateUin, { body: JSON.stringify({ firstName: 'Ada', [name]: 'x' }) }),
      await clientErrorOf(findPersons, { query }),
    ]) {
      expect(answer).toMatchObject({ status: 400, code: 1021 });
      expect(answer.message).toContain(`${JSON.stringify(name)} is not an attribute`);
      expect(answer.message).toContain('firstName, lastName');
    }
  },
);

test('minting rejects a UIN from the caller', async () => {
  expect(await clientErrorOf(generateUin, { body: '{"uin":"123456789018","firstName":"Ada"}' })).toMatchObject({
    status: 400,
    message: expect.stringContaining('uin'),
  });
});

test.each([
  ['', 'attribute'],
  ['transactionId=7', 'attribute'],
  ['limit=5', 'attribute'],
  ['names=firstName', 'attribute'],
  ['lastName=x&lastName=y', 'lastName'],
  ['lastName=x&lastName=x', 'lastName'],
  ['uin=1&uin=2', 'uin'],
  ['dateOfBirth=2023-02-29', 'dateOfBirth'],
  ['gender=female', 'gender'],
  ['__proto__=x', '__proto__'],
  ['lastName[]=x', 'lastName[]'],
])('searching by %s is rejected with an error that names the attribute', async (query, named) => {
  expect(await clientErrorOf(findPersons, { query })).toMatchObject({
    status: 400,
    message: expect.stringContaining(named),
  });
});

test.each([
  ['no names', ''],
  ['an empty name', 'attributeNames='],
  ['an empty name after a valid name', 'attributeNames=firstName,'],
  ['101 names', `attributeNames=${Array.from({ length: 101 }, (_, index) => `n${index}`)}`],
])('reading with %s is rejected', async (_what, query) => {
  expect(await clientErrorOf(readPerson, { query })).toMatchObject({
    status: 400,
    message: expect.stringContaining('attributeNames'),
  });
});

test.each(wrongExpressions)('verifying rejects %s', async (_what, body, named) => {
  expect(await clientErrorOf(verifyPerson, { body })).toMatchObject({
    status: 400,
    message: expect.stringContaining(named),
  });
});
