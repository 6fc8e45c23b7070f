import { describe, expect, test } from 'vitest';
import { population } from '../../infra/local/demo/population/population.ts';
import {
  findPersons,
  generateUin,
  matchPerson,
  readPerson,
  verifyPerson,
} from '../../shared/contract/endpoints/persons-endpoints.ts';
import type { Attributes } from '../../shared/domain/persons/attributes.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { openWorld, uniqueName } from '../harness/world.ts';

const world = await openWorld();
const { call } = world;
leavesNoErrors(world);

const register = async (attributes: Attributes): Promise<string> =>
  (await call(generateUin, { body: attributes })).json;
const find = async (query: Record<string, string>) => (await call(findPersons, { query })).json;
const match = async (uin: string, body: object) => (await call(matchPerson, { path: { uin }, body })).json;
const verify = async (uin: string, body: object[]) => (await call(verifyPerson, { path: { uin }, body })).json;

describe('tests from the reference implementation', async () => {
  const lastName = uniqueName('García');
  const person = { firstName: 'José', lastName, dateOfBirth: '1985-11-20', gender: 1 };
  const uin = await register(person);
  const nobody = '000000000000';

  test.each([
    ['read', readPerson, { query: { attributeNames: 'firstName' } }],
    ['match', matchPerson, { body: { firstName: 'José' } }],
    ['verify', verifyPerson, { body: [{ attributeName: 'firstName', operator: '=', value: 'José' }] }],
  ] as const)('%s returns 404 for an unknown UIN', async (_name, endpoint, input) => {
    const answer = await call(endpoint, { path: { uin: nobody }, ...input });
    expect([answer.status, answer.error]).toEqual([
      404,
      { code: 1040, message: expect.stringContaining('no person has the uin') },
    ]);
  });

  test('match returns the attributes that differ (1) or are missing (0), but no matching attributes', async () => {
    const asked = { firstName: 'Albert', lastName, missing: 'x' };
    expect(await match(uin, asked)).toEqual([
      { attributeName: 'firstName', errorCode: 1 },
      { attributeName: 'missing', errorCode: 0 },
    ]);
    expect(await match(uin, person)).toEqual([]);
  });

  test('a search without matches returns an empty list', async () => {
    const answer = await call(findPersons, { query: { lastName: uniqueName('Nobody'), dateOfBirth: '1985-11-20' } });
    expect([answer.status, answer.text]).toEqual([200, '[]']);
    expect(await find({ uin: nobody })).toEqual([]);
  });

  test('a search by an unknown attribute returns 400 and names the attribute', async () => {
    const { status, error } = await call(findPersons, { query: { shoeSize: '43' } });
    expect([status, error]).toEqual([400, { code: 1021, message: expect.stringContaining('"shoeSize"') }]);
  });

  test('read returns attribute values, and an Error object in place of each missing value', async () => {
    const query = { attributeNames: ['firstName', 'missing', 'gender', 'status'] };
    expect((await call(readPerson, { path: { uin }, query })).json).toEqual({
      firstName: 'José',
      missing: { code: 1023, message: expect.any(String) },
      gender: 1,
      status: { code: 1023, message: expect.any(String) },
    });
  });

  test('read without attributeNames returns 400', async () => {
    const { status, error } = await call(readPerson, { path: { uin } });
    expect([status, error.message]).toEqual([400, expect.stringContaining('attributeNames')]);
  });

  test('every operation accepts a transactionId', async () => {
    const query = { transactionId: uniqueName('tx') };
    const minted = await call(generateUin, { query, body: person });
    expect(minted.text).toMatch(/^"\d{12}"$/);
    expect(await find({ ...query, lastName, dateOfBirth: '1985-11-20' })).toEqual([uin, minted.json].toSorted());
    const read = await call(readPerson, { path: { uin }, query: { ...query, attributeNames: 'gender' } });
    expect(read.json).toEqual({ gender: 1 });
    expect((await call(matchPerson, { path: { uin }, query, body: person })).json).toEqual([]);
    expect((await call(verifyPerson, { path: { uin }, query, body: [] })).json).toBe(true);
  });
});

describe('a family of three', async () => {
  const lastName = uniqueName('Żółć-Müller');
  const father = { firstName: 'José', lastName, dateOfBirth: '1980-01-31', gender: 1, spouseName: `Zoë ${lastName}` };
  const twins = ['Léa', 'Noé'].map((firstName) => ({
    firstName,
    lastName,
    dateOfBirth: '2024-02-29',
    placeOfBirth: 'Genève',
  }));
  const [fatherUin = '', ...twinUins] = await Promise.all([father, ...twins].map(register));
  twinUins.sort();
  const plain = lastName.replace('Żółć-Müller', 'ZOŁC-MULLER');

  test('a search ignores accents and case, and distinguishes twins by first name', async () => {
    expect(await find({ lastName: plain, dateOfBirth: '2024-02-29' })).toEqual(twinUins);
    expect(await find({ lastName: `  ${plain} `, firstName: 'jose' })).toEqual([fatherUin]);
    expect(await find({ lastName: plain })).toEqual([fatherUin, ...twinUins].toSorted());
    expect(await find({ lastName: plain, firstName: 'LEA', placeOfBirth: 'geneve' })).toHaveLength(1);
    expect(await find({ spouseName: `ZOE ${plain}` })).toEqual([fatherUin]);
    expect(await find({ uin: fatherUin, lastName: plain })).toEqual([fatherUin]);
    expect(await find({ uin: fatherUin, gender: '2' })).toEqual([]);
  });

  test('match distinguishes accents and case, unlike a search', async () => {
    expect(await match(fatherUin, { firstName: 'jose', gender: 1 })).toEqual([
      { attributeName: 'firstName', errorCode: 1 },
    ]);
    expect(await match(fatherUin, { firstName: ' Jose\u0301 ' })).toEqual([]);
  });

  test('verify returns true only if every expression is true', async () => {
    const ofAge = { attributeName: 'dateOfBirth', operator: '<=', value: '2008-11-20' };
    const alive = { attributeName: 'dateOfDeath', operator: '>', value: '1900-01-01' };
    expect(await verify(fatherUin, [ofAge])).toBe(true);
    expect(await verify(twinUins[0] ?? '', [ofAge])).toBe(false);
    expect(await verify(fatherUin, [ofAge, alive])).toBe(false);
  });
});

test('people with names in any script can be registered, read, found and matched', async () => {
  for (const { attributes } of population({ size: 40, seed: 11 })) {
    const uin = await register(attributes);
    const { json } = await call(readPerson, { path: { uin }, query: { attributeNames: Object.keys(attributes) } });
    expect(json).toEqual(attributes);
    expect(await match(uin, attributes)).toEqual([]);
    const query = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]));
    expect(await find(query)).toContain(uin);
  }
});
