import { describe, expect, test } from 'vitest';
import { generateUin } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { readResponse } from '../harness/call.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { openWorld } from '../harness/world.ts';

const world = await openWorld();
const { call, outputs, token } = world;
leavesNoErrors(world);

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

  test('the gateway returns 413 for a body over 10 MB', async () => {
    const answer = await call(generateUin, { body: 'x'.repeat(10_500_000) });
    expect([answer.status, answer.error.message]).toEqual([413, expect.stringContaining('body is larger')]);
  });
});
