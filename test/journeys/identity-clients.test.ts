import { describe, expect, test } from 'vitest';
import { generateUin, matchPerson, readPerson } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { readResponse } from '../harness/call.ts';
import { useWorld } from '../harness/no-internal-errors.ts';
import { uniqueName } from '../harness/world.ts';

const world = await useWorld();
const { call } = world;

/** Sends a client's request without changing its path or body. */
async function send(method: string, address: string, body?: string) {
  const headers = { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) };
  return readResponse(await fetch(world.outputs.baseUrl + address, { method, headers, ...sent }), address);
}

describe.concurrent('text that is not UTF-8', () => {
  test.each([
    ['/v1/persons?lastName=Jos%E9', 'lastName'],
    ['/v1/persons?lastName=100%', '%25'],
    ['/v1/persons?lastName=%zz', '%25'],
    ['/v1/persons/1%E9?attributeNames=uin', 'uin'],
    ['/v1/persons/1%EF%BF%BD?attributeNames=uin', 'uin'],
    ['/v1/persons/1?attributeNames=pr%E9nom', 'attributeNames'],
    ['/v1/persons/1/document?format=pdf&doctype=d%E9c%E8s', 'doctype'],
  ])('the request %s is rejected because it is not valid UTF-8', async (address, named) => {
    const { status, error } = await send('GET', address);
    expect([status, error.code, error.message]).toEqual([400, 1002, expect.stringContaining(named)]);
  });
});

test('the names of inherited JavaScript properties are treated in the same way as other unknown names', async () => {
  const uin = (await call(generateUin, { body: { lastName: uniqueName() } })).json;
  const names = ['__proto__', 'constructor', 'toString'];
  const { json } = await call(readPerson, { path: { uin }, query: { attributeNames: names } });
  const unknown = { code: 1023, message: 'unknown attribute name' };
  expect(Object.entries(json)).toEqual(names.map((name) => [name, unknown]));
  const body = '{"__proto__":"x","constructor":"x","toString":"x"}';
  const matched = await call(matchPerson, { path: { uin }, body });
  expect(matched.json).toEqual(names.map((attributeName) => ({ attributeName, errorCode: 0 })));
  const minted = await call(generateUin, { body: '{"lastName":"x","__proto__":"x"}' });
  expect([minted.status, minted.error.message]).toEqual([400, expect.stringContaining('"__proto__" is not')]);
});

test('the error message for a UIN with an incorrect check digit says that the UIN is mistyped', async () => {
  const uin = (await call(generateUin, { body: { lastName: uniqueName() } })).json;
  const mistyped = uin.slice(0, -1) + ((Number(uin.at(-1)) + 1) % 10);
  const path = `/v1/persons/${mistyped}`;
  for (const answer of [
    await send('GET', `${path}?attributeNames=uin`),
    await send('POST', `${path}/match`, '{"lastName":"x"}'),
    await send('POST', `${path}/verify`, '[]'),
    await send('GET', `${path}/document?doctype=birth&format=pdf`),
    await send('GET', `/v1/persons/${uin}/document?doctype=marriage&format=pdf&secondaryUin=${mistyped}`),
  ]) {
    expect(answer.status).toBe(404);
    expect(answer.error.message).toMatch(/mistyped .* check digit/);
  }
});
