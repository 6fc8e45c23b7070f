import { expect, test } from 'vitest';
import { handler as findPersons } from '../../../functions/persons/find-persons.ts';
import { handler as matchPerson } from '../../../functions/persons/match-person.ts';
import { handler as readPerson } from '../../../functions/persons/read-person.ts';
import { handler as verifyPerson } from '../../../functions/persons/verify-person.ts';
import { usePersonsHarness } from '../../harness/persons-harness.ts';

const { call, calls } = usePersonsHarness({ purposeRequired: 'true' });
const path = { uin: '1' };

test.each([
  ['find', findPersons, { query: 'lastName=King' }, 200],
  ['read', readPerson, { path, query: 'attributeNames=firstName' }, 404],
  ['match', matchPerson, { path, body: '{"firstName":"Ada"}' }, 404],
  ['verify', verifyPerson, { path, body: '[]' }, 404],
] as const)('without a purpose, a request to %s fails and reads no data', async (_name, handler, given, status) => {
  for (const headers of [{}, { purpose: ' ' }]) {
    const { json, ...refused } = await call(handler, { ...given, headers });
    expect([refused.status, json.code]).toEqual([400, headers.purpose === undefined ? 1004 : 1002]);
    expect(json.message).toContain('purpose');
  }
  expect(calls).toEqual([]);
  expect((await call(handler, { ...given, headers: { purpose: 'an inheritance' } })).status).toBe(status);
});
