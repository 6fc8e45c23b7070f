import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalStack, startLocalStack } from '../../../../../infra/local/start.ts';
import { eventually } from '../../../../harness/eventually.ts';
import { writeAssembly } from '../../example-assembly.ts';

let stack: LocalStack;
const lines: string[] = [];

beforeAll(async () => {
  stack = await startLocalStack({ assembly: writeAssembly(), onLog: (line) => lines.push(line) });
});
afterAll(() => stack?.stop());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${stack.outputs.baseUrl}/v1${path}`, { method, headers });

test('the gateway converts a request to a Lambda proxy event', async () => {
  const reply = await get('/open/%40a?b=1&b=2%203', { 'X-Case': 'kept' });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('x-two')).toBe('1, 2');
  expect(await reply.json()).toMatchObject({
    resource: '/open/{action}',
    path: '/open/%40a',
    httpMethod: 'GET',
    headers: { 'X-Case': 'kept' },
    pathParameters: { action: '%40a' },
    queryStringParameters: { b: '2 3' },
    multiValueQueryStringParameters: { b: ['1', '2 3'] },
    body: null,
    isBase64Encoded: false,
    requestContext: { stage: 'v1', path: '/v1/open/%40a', resourcePath: '/open/{action}' },
  });
});

test.each([
  ['an unknown path', '/nowhere', 403, 'Missing Authentication Token'],
  ['a function that throws', '/open/throw', 502, 'Internal server error'],
  ['a malformed response', '/open/malformed', 502, 'Internal server error'],
  ['a function that exceeds the integration timeout', '/late/sleep', 504, 'Endpoint request timed out'],
  ['a function that the API is not permitted to invoke', '/open/fixed', 500, 'Internal server error'],
])('the gateway returns an error for %s', async (_name, path, status, message) => {
  const reply = await get(path);
  expect([reply.status, await reply.json()]).toEqual([status, { message }]);
});

test.each(['/', '/open/a', '/v2/open/a', '/v10/open/a', '/V1/open/a', '/?a=/v1/'])(
  'a request for a path outside the stage returns 403: %s',
  async (path) => {
    const reply = await fetch(stack.outputs.baseUrl + path);
    expect([reply.status, await reply.json()]).toEqual([403, { message: 'Forbidden' }]);
    expect(reply.headers.get('x-amzn-errortype')).toBe('ForbiddenException');
  },
);

test.each(['?b=100%', '?b=%zz', '?b=1&%4=x', '?b=%'])('an invalid percent encoding returns 400: %s', async (query) => {
  const reply = await get(`/open/x${query}`);
  expect([reply.status, await reply.json()]).toEqual([400, { message: expect.stringContaining('as %25') }]);
});

test('the gateway treats a method that has no route as an unknown route', async () => {
  expect((await get('/open/x', {}, 'DELETE')).status).toBe(403);
});

test('the gateway decodes a base64 body only if the client accepts the media type', async () => {
  const bytes = await (await get('/open/bytes', { accept: 'image/png' })).bytes();
  expect([...bytes]).toEqual([0, 255]);
  expect(await (await get('/open/bytes', { accept: 'text/html' })).text()).toBe('AP8=');
});

test('the gateway sends a response as JSON unless the function changes or removes the media type', async () => {
  const typeOf = async (action: string) => (await get(`/open/${action}`)).headers.get('content-type');
  expect([await typeOf('x'), await typeOf('empty')]).toEqual(['application/json', null]);
});

test('the gateway forwards first the headers and then the body of a streamed response while the function writes it', async () => {
  const reply = await get('/stream/two');
  expect([reply.status, reply.headers.get('content-type')]).toEqual([201, 'text/plain']);
  expect(reply.headers.get('content-length')).toBeNull();
  expect(reply.headers.get('x-amzn-remapped-content-length')).toBe('3');
  const chunks: string[] = [];
  for await (const chunk of reply.body ?? []) chunks.push(Buffer.from(chunk).toString());
  expect(chunks).toEqual(['one', 'two']);
});

test('the gateway streams more than 6 MB to a slow reader, but stops the stream at the integration timeout', async () => {
  const readSlowly = async (path: string): Promise<number> => {
    // On a busy machine, the short timeout can expire before the stream starts.
    const { body } = await eventually(async () => {
      const reply = await get(path);
      expect(reply.status).toBe(201);
      return reply;
    });
    let bytes = 0;
    for await (const chunk of body ?? []) {
      // The reader pauses once. The pause is longer than the short timeout and much shorter than the long timeout.
      if (bytes === 0) await sleep(600);
      bytes += chunk.length;
    }
    return bytes;
  };
  expect(await readSlowly('/stream/large')).toBe(20_000_003);
  await expect(readSlowly('/brief/large')).rejects.toThrow('terminated');
});

test('the gateway closes the connection if a stream fails, and returns an error if the failure precedes the headers', async () => {
  const broken = await get('/stream/break');
  expect(broken.status).toBe(201);
  await expect(broken.text()).rejects.toThrow('terminated');
  for (const action of ['throw', 'plain']) expect((await get(`/stream/${action}`)).status).toBe(502);
  expect((await get('/stream/two')).status).toBe(201);
});

test('the gateway keeps working after a client disconnects in the middle of a response', async () => {
  const leaving = new AbortController();
  const reply = await fetch(`${stack.outputs.baseUrl}/v1/stream/large`, { signal: leaving.signal });
  leaving.abort();
  await expect(reply.text()).rejects.toThrow('aborted');
  expect((await get('/stream/two')).status).toBe(201);
});

test.each([
  ['a missing token', {}, 401],
  ['an unknown token', { authorization: 'unknown' }, 401],
  ['an authorizer that fails', { authorization: 'broken' }, 500],
  ['a denied token', { authorization: 'denied' }, 403],
])('the gateway returns the same status as AWS for %s', async (_name, headers, status) => {
  expect((await get('/guarded/x', headers as Record<string, string>)).status).toBe(status);
});

test("the gateway caches the authorizer's result for each token and passes the context values as strings", async () => {
  const authorizerOf = async (path: string, authorization: string) =>
    ((await (await get(path, { authorization })).json()) as { requestContext: { authorizer: { calls: string } } })
      .requestContext.authorizer;
  const first = await authorizerOf('/guarded/a', 'good');
  expect(first).toMatchObject({ principalId: 'someone', calls: expect.any(String) });
  expect(await authorizerOf('/guarded/b/c', 'good')).toEqual(first);
  expect((await authorizerOf('/guarded/a', 'better')).calls).not.toBe(first.calls);
});
