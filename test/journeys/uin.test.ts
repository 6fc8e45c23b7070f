import { describe, expect, test } from 'vitest';
import { generateUin, readPerson } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { hasValidCheckDigit } from '../../shared/domain/persons/check-digit.ts';
import type { Input } from '../harness/call.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { openWorld, uniqueName } from '../harness/world.ts';

const world = await openWorld();
const { call } = world;
leavesNoErrors(world);

const mint = async (body: object, more: Omit<Input, 'path' | 'body'> = {}): Promise<string> =>
  (await call(generateUin, { ...more, body })).json;
const read = async (uin: string, attributeNames: string | string[]) =>
  (await call(readPerson, { path: { uin }, query: { attributeNames } })).json;
const newPerson = () => ({
  firstName: uniqueName('Zoë'),
  dateOfBirth: '2026-11-20',
  gender: 2,
  placeOfBirth: 'Genève',
});

describe.concurrent('generateUin', () => {
  test('minting returns a quoted 12-digit UIN that ends with a check digit', async () => {
    const { text } = await call(generateUin, { body: newPerson() });
    expect(text).toMatch(/^"[1-9]\d{11}"$/);
    expect(hasValidCheckDigit(JSON.parse(text))).toBe(true);
  });

  test("minting stores the person's attributes in normalised form", async () => {
    const uin = await mint({ firstName: '  Zoe\u0308 ', dateOfBirth: '2024-02-29', gender: 0 });
    expect(await read(uin, ['uin', 'firstName', 'dateOfBirth', 'gender'])).toEqual({
      uin,
      firstName: 'Zoë',
      dateOfBirth: '2024-02-29',
      gender: 0,
    });
  });

  test.each<[string, (key: string) => Omit<Input, 'path' | 'body'>]>([
    ['an Idempotency-Key', (key) => ({ headers: { 'Idempotency-Key': key } })],
    ['a transactionId', (key) => ({ query: { transactionId: key } })],
  ])('minting with %s returns the same UIN for the same caller, key and attributes', async (_name, keyed) => {
    const key = uniqueName('key');
    const person = { firstName: 'Ada', lastName: 'Sato', gender: 2 };
    const uin = await mint(person, keyed(key));
    expect(await mint({ gender: 2, lastName: ' Sato ', firstName: 'Ada' }, keyed(key))).toBe(uin);
    const others = [
      await mint({ ...person, firstName: 'Ida' }, keyed(key)),
      await mint(person, keyed(uniqueName('key'))),
      await mint(person, { ...keyed(key), token: await world.tokenFor(['uin.generate'], 'another-client') }),
      await mint(person),
      await mint(person),
    ];
    expect(new Set([uin, ...others]).size).toBe(6);
  });

  test('minting ignores the transactionId of a caller without a unique name', async () => {
    const token = await world.sign({ scope: 'uin.generate', client_id: null, azp: 'journeys' });
    const query = { transactionId: uniqueName('key') };
    const uins = [await mint({ firstName: 'Ada' }, { query }), await mint({ firstName: 'Ada' }, { query, token })];
    uins.push(await mint({ firstName: 'Ada' }, { query, token }));
    expect(new Set(uins).size).toBe(3);
  });

  test('five concurrent requests with the same key mint one UIN', async () => {
    const headers = { 'idempotency-key': uniqueName('key') };
    const uins = await Promise.all([1, 2, 3, 4, 5].map(() => mint({ firstName: 'Ada' }, { headers })));
    expect(new Set(uins).size).toBe(1);
  });
});

describe.concurrent('readPerson', () => {
  test('reading a person returns one key per requested name, and an Error object in place of each missing value', async () => {
    const person = newPerson();
    const uin = await mint(person);
    const answer = await read(uin, ['firstName', 'gender', 'lastName', 'shoeSize']);
    expect(answer).toEqual({
      firstName: person.firstName,
      gender: 2,
      lastName: { code: 1023, message: expect.stringContaining('lastName') },
      shoeSize: { code: 1023, message: 'unknown attribute name' },
    });
    expect(Object.keys(answer)).toEqual(['firstName', 'gender', 'lastName', 'shoeSize']);
  });

  test.each([
    ['repeated', ['firstName', 'gender']],
    ['joined by commas', 'firstName,gender'],
    ['both repeated and joined, with duplicates and spaces', ['firstName, gender', 'gender', 'firstName']],
  ])('accepts names %s', async (_name, names) => {
    const person = newPerson();
    const uin = await mint(person);
    expect(await read(uin, names)).toEqual({ firstName: person.firstName, gender: 2 });
  });

  test.each([['0'], ['123456789012'], ['mint#x'], ['person#1'], ['a/b c'], ['ü'], ['constructor']])(
    'reading a person returns 404 for an unknown UIN (%s)',
    async (uin) => {
      const answer = await call(readPerson, { path: { uin }, query: { attributeNames: 'firstName' } });
      expect([answer.status, answer.error.code]).toEqual([404, 1040]);
    },
  );

  test('reading a person treats the names of JavaScript object members as unknown attributes', async () => {
    const uin = await mint(newPerson());
    const names = ['constructor', 'toString', 'hasOwnProperty'];
    const answer = await read(uin, names);
    expect(Object.values(answer)).toEqual(names.map(() => ({ code: 1023, message: 'unknown attribute name' })));
  });
});
