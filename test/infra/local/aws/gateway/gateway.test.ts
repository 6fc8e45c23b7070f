import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalStack, startLocalStack } from '../../../../../infra/local/start.ts';
import { writeAssembly } from '../../example-assembly.ts';

describe('a running stack', () => {
  let stack: LocalStack;
  const lines: string[] = [];

  beforeAll(async () => {
    stack = await startLocalStack({ assembly: writeAssembly(), onLog: (line) => lines.push(line) });
  });
  afterAll(() => stack?.stop());

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${stack.outputs.baseUrl}/v1${path}`, { method, headers });

  test('a request becomes the event that REST APIs send', async () => {
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
    ['a malformed answer', '/open/malformed', 502, 'Internal server error'],
    ['a function that answers too late', '/late/sleep', 504, 'Endpoint request timed out'],
    ['a function that the API may not call', '/open/fixed', 500, 'Internal server error'],
  ])('%s', async (_name, path, status, message) => {
    const reply = await get(path);
    expect([reply.status, await reply.json()]).toEqual([status, { message }]);
  });

  test.each(['/', '/open/a', '/v2/open/a', '/v10/open/a', '/V1/open/a', '/?a=/v1/'])(
    'outside the stage the gateway answers by itself: %s',
    async (path) => {
      const reply = await fetch(stack.outputs.baseUrl + path);
      expect([reply.status, await reply.json()]).toEqual([403, { message: 'Forbidden' }]);
      expect(reply.headers.get('x-amzn-errortype')).toBe('ForbiddenException');
    },
  );

  test.each(['?b=100%', '?b=%zz', '?b=1&%4=x', '?b=%'])(
    'a percent sign that encodes nothing is a bad request: %s',
    async (query) => {
      const reply = await get(`/open/x${query}`);
      expect([reply.status, await reply.json()]).toEqual([
        400,
        { message: expect.stringContaining('write it as %25') },
      ]);
    },
  );

  test('a method that the path does not have is an unknown route', async () => {
    expect((await get('/open/x', {}, 'DELETE')).status).toBe(403);
  });

  test('bytes are bytes for those who accept them', async () => {
    const bytes = await (await get('/open/bytes', { accept: 'image/png' })).bytes();
    expect([...bytes]).toEqual([0, 255]);
    expect(await (await get('/open/bytes', { accept: 'text/html' })).text()).toBe('AP8=');
  });

  test('an answer is JSON unless its function names another type, or none', async () => {
    const typeOf = async (action: string) => (await get(`/open/${action}`)).headers.get('content-type');
    expect([await typeOf('x'), await typeOf('empty')]).toEqual(['application/json', null]);
  });

  test('a streamed answer arrives as it is written, head first', async () => {
    const reply = await get('/stream/two');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([201, 'text/plain']);
    expect([reply.headers.get('content-length'), reply.headers.get('x-amzn-remapped-content-length')]).toEqual([
      null,
      '3',
    ]);
    const chunks: string[] = [];
    for await (const chunk of reply.body ?? []) chunks.push(Buffer.from(chunk).toString());
    expect(chunks).toEqual(['one', 'two']);
  });

  test('a streamed answer may be larger than any other', async () => {
    expect((await (await get('/stream/large')).bytes()).length).toBe(20_000_003);
  });

  test('a slow reader gets all of a stream, when the integration has the time for it', async () => {
    const readSlowly = async (path: string): Promise<number> => {
      let bytes = 0;
      for await (const chunk of (await get(path)).body ?? []) {
        // Once, at the beginning: longer than the brief one has, and far less than the other.
        if (bytes === 0) await sleep(600);
        bytes += chunk.length;
      }
      return bytes;
    };
    expect(await readSlowly('/stream/large')).toBe(20_000_003);
    await expect(readSlowly('/brief/large')).rejects.toThrow('terminated');
  });

  test('a stream that breaks is cut off; before its head it is an error of the gateway', async () => {
    const broken = await get('/stream/break');
    expect(broken.status).toBe(201);
    await expect(broken.text()).rejects.toThrow('terminated');
    for (const action of ['throw', 'plain']) expect((await get(`/stream/${action}`)).status).toBe(502);
    expect((await get('/stream/two')).status).toBe(201);
  });

  test('a client that leaves in the middle holds up nobody', async () => {
    const leaving = new AbortController();
    const reply = await fetch(`${stack.outputs.baseUrl}/v1/stream/large`, { signal: leaving.signal });
    leaving.abort();
    await expect(reply.text()).rejects.toThrow('aborted');
    expect((await get('/stream/two')).status).toBe(201);
  });

  test.each([
    ['no token', {}, 401],
    ['a token that nobody knows', { authorization: 'unknown' }, 401],
    ['an authorizer that breaks', { authorization: 'broken' }, 500],
    ['a denied token', { authorization: 'denied' }, 403],
  ])('%s', async (_name, headers, status) => {
    expect((await get('/guarded/x', headers as Record<string, string>)).status).toBe(status);
  });

  test('the answer of the authorizer is kept for the token, its context is handed on as text', async () => {
    const authorizerOf = async (path: string, authorization: string) =>
      ((await (await get(path, { authorization })).json()) as { requestContext: { authorizer: { calls: string } } })
        .requestContext.authorizer;
    const first = await authorizerOf('/guarded/a', 'good');
    expect(first).toMatchObject({ principalId: 'someone', calls: expect.any(String) });
    expect(await authorizerOf('/guarded/b/c', 'good')).toEqual(first);
    expect((await authorizerOf('/guarded/a', 'better')).calls).not.toBe(first.calls);
  });
});
