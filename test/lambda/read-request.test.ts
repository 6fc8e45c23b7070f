import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { defineEndpoint } from '../../shared/contract/endpoint.ts';
import { readDocument } from '../../shared/contract/endpoints/documents-endpoints.ts';
import * as pages from '../../shared/contract/endpoints/pages-endpoints.ts';
import {
  findPersons,
  generateUin,
  matchPerson,
  readPerson,
  verifyPerson,
} from '../../shared/contract/endpoints/persons-endpoints.ts';
import {
  confirmSubscription,
  subscribe,
  unsubscribe,
} from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { createTopic, publishEvent } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { clientErrors } from '../../shared/domain/client-errors.ts';
import { readRequest } from '../../shared/lambda/read-request.ts';
import { clientErrorOf } from '../harness/client-error.ts';
import { apiEvent } from '../harness/lambda-events.ts';

const KiB = 1024;
const uuid = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
type Given = Parameters<typeof apiEvent>[0];
type Declared = Parameters<typeof readRequest>[0];
const clientErrorTo = (endpoint: Declared, given: Given) => clientErrorOf(() => readRequest(endpoint, apiEvent(given)));

describe('readRequest: query parameters', () => {
  it('query parameters are converted to their declared types', () => {
    const query = 'topic=CR&address=http%3A%2F%2Fa.example%2F&policy=3%2C10';
    expect(readRequest(subscribe, apiEvent({ query })).query).toEqual({
      topic: 'CR',
      protocol: 'http',
      address: 'http://a.example/',
      policy: { countdownSeconds: 3, maxRetries: 10 },
    });
  });

  it('query parameters keep non-ASCII and reserved characters', () => {
    const read = readRequest(createTopic, apiEvent({ query: `name=${encodeURIComponent('état & civil +1')}` }));
    expect(read.query.name).toBe('état & civil +1');
  });

  it.each([
    ['unknownParameter', 'name=CR&colour=red', '"colour"'],
    ['repeatedParameter', 'name=CR&name=CR', 'name'],
    ['missingParameter', '', 'name'],
    ['invalidParameter', 'name=', 'name'],
  ] as const)('query parameters are rejected as %s in ?%s', async (errorName, query, named) => {
    const error = await clientErrorTo(createTopic, { query });
    expect(error.errorName).toBe(errorName);
    expect(error.message.startsWith(named)).toBe(true);
  });

  it('an invalid list entry in the query is rejected with an error that gives its position', async () => {
    const path = { uin: '1' };
    const error = await clientErrorTo(readPerson, { path, query: 'attributeNames=firstName,,lastName' });
    expect(error.message).toMatch(/^attributeNames\.1 /);
    expect((await clientErrorTo(readPerson, { path })).errorName).toBe('missingParameter');
  });

  it('a list in the query can consist of repeated parameters or comma-separated entries, and duplicates count once', () => {
    const query = 'attributeNames=firstName,lastName&attributeNames=gender&attributeNames=%20firstName';
    const read = readRequest(readPerson, apiEvent({ path: { uin: '1' }, query }));
    expect(read.query.attributeNames).toEqual(['firstName', 'lastName', 'gender']);
  });

  it.each([
    ['the same token twice, which counts as one token', confirmSubscription, 'token=T&token=T', { token: 'T' }],
    ['transactionId any number of times', createTopic, 'name=CR&transactionId=1&transactionId=2', { name: 'CR' }],
    ['transactionId if it is declared', generateUin, 'transactionId=t-1', { transactionId: 't-1' }],
  ] as const)('a query can contain %s', (_what, endpoint, query, read) => {
    expect(readRequest(endpoint, apiEvent({ query, body: '{"firstName":"Ada"}' })).query).toEqual(read);
  });

  it.each([
    [createTopic, 'name=Jos%E9', 'name'],
    [subscribe, 'topic=CR&address=http://a.example/%E9', 'address'],
    [publishEvent, 'subject=n%E9', 'subject'],
    [generateUin, 'transactionId=%FF', 'transactionId'],
    [readPerson, 'attributeNames=pr%E9nom', 'attributeNames'],
    [findPersons, 'lastName=Jos%E9', '"lastName"'],
    [findPersons, 'lastName=Jos%EF%BF%BD', '"lastName"'],
    [findPersons, 'gender=1&firstName=%C3', '"firstName"'],
    [readDocument, 'doctype=d%E9c%E8s&format=pdf', 'doctype'],
  ] as const)('query parameters of $operation that are not UTF-8 are rejected: ?$1', async (endpoint, query, name) => {
    const error = await clientErrorTo(endpoint, { path: { uin: '1', uuid }, query, body: '{}' });
    expect(error.errorName).toBe('invalidParameter');
    expect(error.message).toMatch(new RegExp(`^${name} in the query is not UTF-8.*%C3%A9`));
  });

  it.each([['{"name":"CR"}'], ['name=CR'], [Buffer.from('{"name":"CR"}')]])(
    'query parameters in the body are rejected, and the error message says to move them to the query: %s',
    async (body) => {
      const error = await clientErrorTo(createTopic, { body });
      expect(error.errorName).toBe('missingParameter');
      expect(error.message).toMatch(/^name is required in the query: .*reads no body.*\?name=/);
      expect((await clientErrorTo(createTopic, {})).message).toBe('name is required in the query');
    },
  );

  it('body fields in the query are rejected, and the error message says to move them to the body', async () => {
    const error = await clientErrorTo(generateUin, { query: 'firstName=Ada', body: '' });
    expect(error.message).toMatch(/^"firstName" is not a query parameter .*transactionId; .* JSON body$/);
  });

  it('the error message about an unknown query parameter contains only the start of a long name', async () => {
    const error = await clientErrorTo(createTopic, { query: `${'x'.repeat(5000)}=1` });
    expect(error.message.length).toBeLessThan(300);
  });
});

it('path parameters are decoded, because API Gateway passes them URL-encoded', () => {
  const read = readRequest(publishEvent, apiEvent({ path: { uuid: '%C3%A9tat%20civil' }, body: 'x' }));
  expect(read.path.uuid).toBe('état civil');
});

it('invalid path parameters are rejected with an error that names them', async () => {
  for (const given of ['CR', '', `${uuid}0`, '%zz', '%ff']) {
    const error = await clientErrorTo(unsubscribe, { path: { uuid: given } });
    expect(error).toMatchObject({ errorName: 'invalidParameter', message: expect.stringMatching(/^uuid /) });
  }
});

it('a UIN in the path can be any text of up to 256 characters without U+FFFD, which replaces invalid UTF-8', async () => {
  const query = 'attributeNames=uin';
  expect(readRequest(readPerson, apiEvent({ path: { uin: 'é1-x' }, query })).path.uin).toBe('é1-x');
  for (const [uin, says] of [
    ['1%EF%BF%BD', /^uin in the path/],
    ['1'.repeat(257), /^uin .*256/],
  ] as const)
    expect(await clientErrorTo(readPerson, { path: { uin }, query })).toMatchObject({
      errorName: 'invalidParameter',
      message: expect.stringMatching(says),
    });
});

describe('readRequest: headers', () => {
  const body = '{"firstName":"Ada"}';

  it('header names are case-insensitive', () => {
    const event = apiEvent({ headers: { 'IDEMPOTENCY-Key': ' k-1 ', 'X-Other': 'x' }, body });
    expect(readRequest(generateUin, event).headers).toEqual({ 'idempotency-key': 'k-1' });
  });

  it('the values of repeated list headers form one list', () => {
    const headers = { Accept: ['image/tiff', 'application/pdf'], 'If-None-Match': ['"a"', '"b"'] };
    const read = readRequest(
      readDocument,
      apiEvent({ path: { uin: '1' }, query: 'doctype=birth&format=pdf', headers }),
    );
    expect(read.headers).toMatchObject({ accept: 'image/tiff, application/pdf', 'if-none-match': '"a", "b"' });
  });

  it.each([
    ['must be given once in the headers', ['a', 'b'], 'client-1'],
    ['', 'x'.repeat(257), 'client-1'],
    ['.* lacks the claim client_id', 'k', ''],
  ])(
    'an Idempotency-Key that is repeated, too long or without a caller is rejected with the reason: %s',
    async (says, key, caller) => {
      for (const endpoint of [generateUin, publishEvent]) {
        const given = { path: { uuid: 'CR' }, body, caller };
        const error = await clientErrorTo(endpoint, { ...given, headers: { 'Idempotency-Key': key } });
        expect(error.message).toMatch(new RegExp(`^idempotency-key ${says}`));
        expect(error.errorName).toBe(Array.isArray(key) ? 'repeatedParameter' : 'invalidParameter');
        expect(readRequest(endpoint, apiEvent(given)).caller).toBe(caller);
      }
    },
  );

  it('readRequest takes the caller from the authorizer', () => {
    const read = (caller: string, more: object = {}) => {
      const event = apiEvent({ body, caller });
      Object.assign(event.requestContext.authorizer ?? {}, more);
      return readRequest(generateUin, event);
    };
    expect(read('registry A')).toMatchObject({ caller: 'registry A', isAdmin: false });
    expect(['true', 'false'].map((isAdmin) => read('a', { isAdmin }).isAdmin)).toEqual([true, false]);
    expect(read('', { client: 'sub someone' })).toMatchObject({ caller: '', client: 'sub someone' });
  });
});

describe('readRequest: a body', () => {
  const withoutBody = endpoints.filter(({ request }) => request.body === undefined);
  const sample = {
    path: { uuid, messageId: uuid, uin: '1' },
    ...{ createTopic: 'name=CR', subscribe: 'topic=CR&address=http://a.example', confirmSubscription: 'token=T' },
    readPerson: 'attributeNames=uin',
    ...Object.fromEntries(Object.values(pages).map(({ operation }) => [operation, 'token=t'])),
    readDocument: 'doctype=birth&format=pdf',
  };

  it.each(withoutBody)('a body is ignored if the operation declares no body: $operation', (endpoint) => {
    const query = String(sample[endpoint.operation as keyof typeof sample] ?? '');
    for (const body of ['', '{', '\u0000', Buffer.from([0xff])]) {
      const event = apiEvent({ path: sample.path, query, headers: { 'Content-Type': 'application/json' }, body });
      expect(readRequest(endpoint, event).body).toBeUndefined();
    }
  });

  it.each([
    ['{"firstName":', 'malformedJson'],
    ['{"a":1,"a":2}', 'malformedJson'],
    [`${'['.repeat(100)}${']'.repeat(100)}`, 'malformedJson'],
    ['', 'invalidBody'],
    ['[]', 'invalidBody'],
    ['null', 'invalidBody'],
    ['"text"', 'invalidBody'],
    ['7', 'invalidBody'],
  ] as const)('of %j is rejected as %s', async (body, errorName) => {
    expect((await clientErrorTo(generateUin, { body })).errorName).toBe(errorName);
  });

  it.each([
    [generateUin, '[{"firstName":"Ada"}]', /^body must be a JSON object of .*, not a list$/],
    [matchPerson, '[]', /^body must be a JSON object of .*, not a list$/],
    [verifyPerson, '{"attributeName":"uin","operator":"=","value":"1"}', /^body must be a list .* put the object into/],
  ] as const)(
    'a list instead of an object, or an object instead of a list, is rejected with the reason: %#',
    async (endpoint, body, message) => {
      expect((await clientErrorTo(endpoint, { path: { uin: '1' }, body })).message).toMatch(message);
    },
  );

  it('a JSON body can begin with a byte order mark, as bodies from .NET and PowerShell do', () => {
    for (const body of ['\ufeff{"firstName":"Ada"}', Buffer.from('\ufeff{"firstName":"Ada"}')]) {
      expect(readRequest(generateUin, apiEvent({ body })).body).toEqual({ firstName: 'Ada' });
    }
  });

  it('a JSON body keeps keys that are names of built-in object properties', () => {
    const body = '{"__proto__":1,"constructor":2,"toString":3}';
    const read = readRequest(generateUin, apiEvent({ body })).body as object;
    expect(Object.entries(read)).toEqual(Object.entries({ ['__proto__']: 1, constructor: 2, toString: 3 }));
  });

  it('that is missing is rejected', async () => {
    for (const endpoint of [generateUin, publishEvent])
      expect((await clientErrorTo(endpoint, { path: { uuid } })).errorName).toBe('invalidBody');
  });

  it('a JSON body of 64 KiB is accepted, and a body with one more byte is rejected', async () => {
    const ofBytes = (bytes: number) => JSON.stringify({ a: 'é'.repeat((bytes - 8) / 2) });
    expect(Buffer.byteLength(ofBytes(64 * KiB))).toBe(64 * KiB);
    expect(readRequest(generateUin, apiEvent({ body: ofBytes(64 * KiB) })).body).toHaveProperty('a');
    const error = await clientErrorTo(generateUin, { body: `${ofBytes(64 * KiB)} ` });
    expect(error).toMatchObject({ errorName: 'bodyTooLarge', message: expect.stringContaining('65536') });
    expect(clientErrors[error.errorName].status).toBe(413);
  });

  it('an event body of 256 KiB is accepted, and a body with one more byte is rejected', async () => {
    const path = { uuid };
    const full = 'é'.repeat(128 * KiB);
    expect(readRequest(publishEvent, apiEvent({ path, body: full })).body).toBe(full);
    expect((await clientErrorTo(publishEvent, { path, body: `${full}.` })).errorName).toBe('bodyTooLarge');
    expect((await clientErrorTo(publishEvent, { path, body: Buffer.from(`${full}.`) })).errorName).toBe('bodyTooLarge');
  });

  it.each(['hello', '\ufeff{"a": 1}\r\n', '出生 👶', '{"a":1,"a":2}', ' '])(
    'an event body is returned unchanged, with or without base64 encoding: %j',
    (body) => {
      expect(readRequest(publishEvent, apiEvent({ path: { uuid }, body })).body).toBe(body);
      expect(readRequest(publishEvent, apiEvent({ path: { uuid }, body: Buffer.from(body) })).body).toBe(body);
    },
  );

  it('a body that is not UTF-8 is rejected instead of being converted', async () => {
    const body = Buffer.from([0x22, 0xe9, 0x22]);
    for (const endpoint of [publishEvent, generateUin]) {
      const error = await clientErrorTo(endpoint, { path: { uuid }, body });
      expect(error).toMatchObject({ errorName: 'invalidBody', message: expect.stringContaining('UTF-8') });
    }
  });

  it('a body with an invalid field is rejected with the path of the field', async () => {
    const endpoint = defineEndpoint({
      ...generateUin,
      request: {
        body: {
          json: z.object({ list: z.array(z.object({ name: z.string({ error: 'must be a string' }) })) }),
          example: { list: [{ name: 'a' }] },
        },
      },
    });
    const error = await clientErrorTo(endpoint, { body: '{"list":[{"name":"a"},{"name":7}]}' });
    expect(error.message).toBe('body.list.1.name must be a string');
  });
});
