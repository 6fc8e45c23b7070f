import { afterAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { deleteTopic, publishEvent } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { tables } from '../../shared/contract/tables.ts';
import { type Input, readResponse } from '../harness/call.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';

const { world } = await openSeparateWorld();
const { call, newTopic, aws, outputs, token } = world;
leavesNoErrors(world);

const topic = await newTopic();

const tableNames = Object.keys(tables) as (keyof typeof tables)[];
const allRows = async () => Object.fromEntries(await Promise.all(tableNames.map(async (n) => [n, await aws.rows(n)])));
const before = await allRows();

// The service rejects every request in this file, so no data is stored and no message is sent.
afterAll(async () => {
  expect(await allRows()).toEqual(before);
  expect(await aws.depth('fanOut')).toBe(0);
});

const refused = async <E extends Endpoint>(endpoint: E, input: Input<E>, status: number, says: string) => {
  const answer = await call(endpoint, input);
  expect([answer.status, answer.error.message]).toEqual([status, expect.stringContaining(says)]);
};

const nobody = '00000000-0000-4000-8000-000000000000';
const operations = endpoints.map((endpoint): [string, Endpoint] => [endpoint.operation, endpoint]);
const withJson = operations.filter(([, { request }]) => request.body !== undefined && 'json' in request.body);

describe.each(withJson)('%s', (_operation, endpoint) => {
  test.each<[name: string, status: number, body: string | Uint8Array, says: string]>([
    ['that is empty', 400, '', 'body must not be empty'],
    ['that is not JSON', 400, '{"firstName": Ada}', 'body must be JSON'],
    ['that is cut off', 400, '{"firstName": "Ada"', 'body must be JSON'],
    ['with two JSON values', 400, '{"a":1}{"b":2}', 'body must be JSON'],
    ['with a duplicate key', 400, '{"firstName":"Ada","firstName":"Ida"}', 'the key "firstName" is repeated'],
    ['nested too deeply', 400, '['.repeat(100) + ']'.repeat(100), '32 levels'],
    ['that is a number', 400, '7', 'body'],
    ['that is text', 400, '"firstName"', 'body'],
    ['that is null', 400, 'null', 'body'],
    ['that is true', 400, 'true', 'body'],
    ['that is not UTF-8', 400, Buffer.from([0x22, 0xff, 0x22]), 'body'],
    ['over its limit', 413, JSON.stringify({ firstName: 'x'.repeat(70_000) }), '65536 bytes'],
    ['over 10 MB', 413, 'x'.repeat(10_500_000), 'body is larger'],
  ])('the operation rejects a body %s', (_name, status, body, says) => {
    // The body is invalid regardless of the path's resource.
    const path = 'uuid' in (endpoint.request.path ?? {}) ? { path: { uuid: nobody } } : {};
    return refused(endpoint, { ...path, body }, status, says);
  });
});

test.each<[name: string, body: string | Uint8Array]>([
  ['empty', ''],
  ['not UTF-8', Buffer.from([0x61, 0xff, 0xfe])],
])('publishEvent returns 400 for a body that is %s', (_name, body) =>
  refused(publishEvent, { path: { uuid: topic.uuid }, body }, 400, 'body'),
);

test.each([['x'], ['0192d1a4-7c1b-8a4e-9c55'], [`${'0'.repeat(36)}`], ['uuid'.repeat(100)]])(
  'the gateway returns 400 for an id that is not a UUID: %.40s',
  (uuid) => refused(deleteTopic, { path: { uuid } }, 400, 'uuid'),
);

describe('the gateway', () => {
  const send = async (method: string, path: string, authorization = `Bearer ${token}`) =>
    readResponse(await fetch(outputs.baseUrl + path, { method, headers: { authorization } }), `${method} ${path}`);

  test.each([
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v1/v1/topics'],
    ['GET', '/v1/topics/'],
    ['GET', '/v1/topic'],
    ['GET', '/v1/topics/a/b/c'],
    ['PUT', '/v1/topics'],
    ['PATCH', '/v1/topics'],
    ['DELETE', '/v1/topics'],
    ['GET', '/v1/uin'],
    ['POST', '/v1/subscriptions/confirm'],
    ['OPTIONS', '/v1/topics'],
  ])('the gateway returns 404 and an Error object for %s %s to every caller', async (method, path) => {
    for (const authorization of [undefined, 'Bearer garbage']) {
      const answer = await send(method, path, authorization);
      expect([answer.status, answer.error.code]).toEqual([404, 1404]);
    }
  });

  test.each(['/topics', '/prod/v1/topics', '/v2/topics'])(
    'the gateway serves nothing at %s, which is outside /v1',
    async (path) => {
      const response = await fetch(outputs.baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
      expect([response.status, await response.json()]).toEqual([403, { message: 'Forbidden' }]);
    },
  );

  test('the gateway returns 400 for a path that is not percent-encoded UTF-8', async () => {
    for (const id of ['%zz', '%ff', '%']) {
      const answer = await send('DELETE', `/v1/topics/${id}`);
      expect([answer.status, answer.error.message]).toEqual([400, expect.stringContaining('uuid')]);
    }
  });
});
