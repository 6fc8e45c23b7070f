import { describe, expect, test } from 'vitest';
import { generateUin, matchPerson, readPerson } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { readResponse } from '../harness/call.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { openWorld, uniqueName } from '../harness/world.ts';

const world = await openWorld();
const { call } = world;
leavesNoErrors(world);

/** Sends a client's request with its path and body unchanged. */
async function send(method: string, address: string, body?: string | Buffer) {
  const headers = { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) };
  return readResponse(await fetch(world.outputs.baseUrl + address, { method, headers, ...sent }), address);
}

/** Registers a person and returns the person's path. */
async function register(body: string | Buffer): Promise<string> {
  return `/v1/persons/${(await send('POST', '/v1/uin', body)).json}`;
}

const read = async (path: string, names: string) => (await send('GET', `${path}?attributeNames=${names}`)).json;

describe.concurrent('placeholder values that clients send for missing attributes', () => {
  test.each([
    ['blank strings, as OpenCRVS does', '{"firstName":"","lastName":"Suharto","dateOfBirth":"","placeOfBirth":" "}'],
    ['null, as Java sends it', '{"uin":null,"firstName":null,"lastName":"Suharto","gender":null,"status":null}'],
  ])('an attribute is ignored if it is %s', async (_who, body) => {
    const path = await register(body);
    const lacking = { code: 1023, message: 'this person has no firstName' };
    expect(await read(path, 'lastName,firstName')).toEqual({ lastName: 'Suharto', firstName: lacking });
    expect((await send('POST', `${path}/match`, body)).json).toEqual([]);
  });

  test('a person without any attributes is rejected', async () => {
    const path = await register('{"lastName":"Suharto"}');
    for (const address of ['/v1/uin', `${path}/match`]) {
      const answer = await send('POST', address, '{"firstName":"","gender":null}');
      expect([answer.status, answer.error.code]).toEqual([400, 1003]);
    }
  });

  test('a search rejects a blank attribute', async () => {
    const { status, error } = await send('GET', '/v1/persons?lastName=&firstName=Ada');
    expect([status, error.message]).toEqual([400, expect.stringMatching(/^lastName .*blank/)]);
  });
});

describe.concurrent('text that is not UTF-8', () => {
  test.each([
    ['/v1/persons?lastName=Jos%E9', 'lastName'],
    ['/v1/persons?lastName=100%', '%25'],
    ['/v1/persons?lastName=%zz', '%25'],
    ['/v1/persons/1%E9?attributeNames=uin', 'uin'],
    ['/v1/persons/1%EF%BF%BD?attributeNames=uin', 'uin'],
    ['/v1/persons/1?attributeNames=pr%E9nom', 'attributeNames'],
    ['/v1/persons/1/document?format=pdf&doctype=d%E9c%E8s', 'doctype'],
  ])('%s is rejected because it is not valid UTF-8', async (address, named) => {
    const { status, error } = await send('GET', address);
    expect([status, error.code, error.message]).toEqual([400, 1002, expect.stringContaining(named)]);
  });
});

test('a byte order mark before a JSON body is ignored', async () => {
  const path = await register('\ufeff{"lastName":"Suharto"}');
  expect(await read(path, 'lastName')).toEqual({ lastName: 'Suharto' });
  expect((await send('POST', `${path}/match`, '\ufeff{"lastName":"Suharto"}')).json).toEqual([]);
  const verified = await send(
    'POST',
    `${path}/verify`,
    '\ufeff[{"attributeName":"lastName","operator":"=","value":"Suharto"}]',
  );
  expect(verified.json).toBe(true);
});

test('the names of inherited JavaScript properties are treated like other unknown names', async () => {
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

test('a search returns the attributes in `names`, as specified in OSIA data access 1.3.0', async () => {
  const lastName = uniqueName('Sukarno');
  const paths = [
    await register(JSON.stringify({ lastName, firstName: 'Ana' })),
    await register(JSON.stringify({ lastName })),
  ];
  const uins = paths.map((path) => path.split('/').at(-1)).toSorted();
  const search = `/v1/persons?lastName=${lastName}&transactionId=`;
  expect((await send('GET', search)).json).toEqual(uins);
  const found = (await send('GET', `${search}&names=uin,lastName&names=firstName`)).json as Record<string, unknown>[];
  expect(found.map(({ uin }) => uin)).toEqual(uins);
  const lacks = { code: 1023, message: 'this person has no firstName' };
  expect(found).toEqual(expect.arrayContaining([expect.objectContaining({ lastName, firstName: 'Ana' })]));
  expect(found).toEqual(expect.arrayContaining([expect.objectContaining({ lastName, firstName: lacks })]));
});

test('the error message for a mistyped UIN says that the UIN is mistyped', async () => {
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

test('the error message for parameters in a JSON body says that they belong in the query', async () => {
  const answer = await send('POST', '/v1/topics', '{"name":"CR"}');
  expect([answer.status, answer.error.message]).toEqual([400, expect.stringMatching(/in the query.*reads no body/)]);
});
