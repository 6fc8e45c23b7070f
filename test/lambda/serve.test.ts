import { afterEach, describe, expect, it, vi } from 'vitest';
import { generateUin } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { createTopic, deleteTopic } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { noContent, ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { readConsole } from '../harness/console-lines.ts';
import { apiEvent, context } from '../harness/lambda-events.ts';

const uuid = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
const marker = 'Zanzibar-4711';
const lines = readConsole();
const parsed = (line: string | undefined) => JSON.parse(line ?? 'null');

const createCalled = (handle: () => Promise<{ status: 200; body: { uuid: string; name: string } }>) =>
  serve(createTopic, [], handle)(apiEvent({ query: 'name=CR' }), context);

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('serve', () => {
  it("serve passes the parsed request to the handler and returns the handler's reply", async () => {
    const handler = serve(createTopic, [], async ({ query, caller }) => ok({ uuid: caller, name: query.name }));
    const reply = await handler(apiEvent({ query: 'name=%20CR%20', caller: 'registry A' }), context);
    expect(reply.statusCode).toBe(200);
    expect(JSON.parse(reply.body)).toEqual({ uuid: 'registry A', name: 'CR' });
  });

  it('serve logs one line with the caller, the operation and the status', async () => {
    const handler = serve(deleteTopic, [], async () => noContent);
    await handler(apiEvent({ path: { uuid }, caller: 'registry A' }), context);
    expect(lines.error).toEqual([]);
    expect(lines.info.map(parsed)).toEqual([
      { message: 'answered', operation: 'deleteTopic', requestId: 'request-1', caller: 'registry A', status: 204 },
    ]);
  });

  it('serve returns the status, the code and the message of a client error', async () => {
    const reply = await createCalled(async () => {
      throw new ClientError('unknownTopic', 'no topic has this uuid');
    });
    expect(reply.statusCode).toBe(404);
    expect(JSON.parse(reply.body)).toEqual({ code: 1041, message: 'no topic has this uuid' });
    expect(lines.error).toEqual([]);
    expect(lines.info.map(parsed)).toEqual([
      {
        ...{ message: 'refused', operation: 'createTopic', requestId: 'request-1', caller: 'client-1' },
        ...{ status: 404, refusal: 'unknownTopic' },
      },
    ]);
  });

  it('serve rejects an invalid request without calling the handler', async () => {
    let isCalled = false;
    const handler = serve(createTopic, [], async () => {
      isCalled = true;
      return ok({ uuid, name: 'CR' });
    });
    const reply = await handler(apiEvent({ query: `name=CR&secret=${marker}` }), context);
    expect(reply.statusCode).toBe(400);
    expect(isCalled).toBe(false);
  });

  it.each([
    ['an Error', new Error(marker)],
    ['an Error with additional data', Object.assign(new TypeError(marker), { body: { firstName: marker } })],
    ['an Error with several lines', new Error(`first\n    at ${marker}`)],
    ['an AWS exception', Object.assign(new Error(marker), { name: 'ValidationException', $metadata: {} })],
    ['a thrown text', marker],
  ])(
    'serve returns 500 for %s, and neither the response nor the log contains the error text',
    async (_what, thrown) => {
      const reply = await createCalled(() => Promise.reject(thrown));
      expect(reply.statusCode).toBe(500);
      expect(JSON.parse(reply.body)).toEqual({ code: 1500, message: expect.stringContaining('request-1') });
      expect(reply.body).not.toContain(marker);
      expect(lines.info).toEqual([]);
      expect(lines.error).toHaveLength(1);
      expect(lines.error.join()).not.toContain(marker);
      expect(parsed(lines.error[0])).toMatchObject({ message: 'failed', operation: 'createTopic', status: 500 });
    },
  );

  it('serve logs the name of an unexpected error and its position in the code', async () => {
    await createCalled(() => Promise.reject(new RangeError('x')));
    expect(parsed(lines.error[0])).toMatchObject({ error: 'RangeError', at: expect.stringContaining('serve.test.ts') });
  });

  it('serve returns 500 for a reply that the endpoint does not declare', async () => {
    const reply = await createCalled(async () => ok({ uuid } as { uuid: string; name: string }));
    expect(reply.statusCode).toBe(500);
  });

  it('serve reads the settings once, at the first request', async () => {
    const handler = serve(generateUin, [], async (_request, { settings }) => ok(String(settings.uinLength)));
    const event = apiEvent({ body: '{"firstName":"Ada"}' });
    expect((await handler(event, context)).statusCode).toBe(500);
    vi.stubEnv('UIN_LENGTH', '14');
    vi.stubEnv('EXTRA_ATTRIBUTES', 'nationalId, tribe');
    vi.stubEnv('PERSONS_TABLE', 'persons');
    expect((await handler(event, context)).body).toBe('"14"');
    vi.stubEnv('UIN_LENGTH', '15');
    expect((await handler(event, context)).body).toBe('"14"');
  });

  it('logs no attribute values', async () => {
    vi.stubEnv('UIN_LENGTH', '12');
    vi.stubEnv('EXTRA_ATTRIBUTES', '');
    const handler = serve(generateUin, [], async ({ body }) => {
      if (body.fail) throw new Error(`${JSON.stringify(body)}`);
      return ok('1');
    });
    const bodies = [`{"firstName":"${marker}"}`, `{"firstName":"${marker}"`, `{"fail":"${marker}"}`, `["${marker}"]`];
    for (const body of bodies) await handler(apiEvent({ body, query: 'transactionId=t' }), context);
    expect([...lines.info, ...lines.error]).toHaveLength(4);
    expect([...lines.info, ...lines.error].join()).not.toContain(marker);
  });
});
