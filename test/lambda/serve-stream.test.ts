import { Readable } from 'node:stream';
import type { Context } from 'aws-lambda';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { provideStreaming } from '../../infra/local/aws/functions/response-stream.ts';
import type { ReplyOf } from '../../shared/contract/endpoint.ts';
import { readDocument } from '../../shared/contract/endpoints/documents-endpoints.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { serveStream } from '../../shared/lambda/serve-stream.ts';
import { readConsole } from '../harness/console-lines.ts';
import { apiEvent, context } from '../harness/lambda-events.ts';

const lines = readConsole();
let sent = Buffer.alloc(0);
beforeAll(() => {
  provideStreaming(async (bytes) => {
    sent = Buffer.concat([sent, bytes]);
  });
  const places = { PERSONS_TABLE: 'persons', DOCUMENTS_BUCKET: 'documents', JOURNAL_TABLE: 'journal' };
  for (const [name, value] of Object.entries({ ...places, JOURNAL_DAYS: '400', PURPOSE_REQUIRED: 'false' }))
    vi.stubEnv(name, value);
});

type Handle = () => Promise<ReplyOf<typeof readDocument>>;
const tagged = { etag: '"a"', 'cache-control': 'private, no-store' };
type Run = (event: unknown, context: Context) => Promise<unknown>;

/** Runs a streaming handler and returns the status, the headers and the body. */
async function run(handle: Handle, query = 'doctype=birth&format=pdf', method = 'GET') {
  sent = Buffer.alloc(0);
  const handler = serveStream(readDocument, [], handle) as unknown as Run;
  await handler(apiEvent({ path: { uin: '1' }, query, method }), context);
  const end = sent.indexOf(Buffer.alloc(8));
  return { head: JSON.parse(sent.subarray(0, end).toString()), body: sent.subarray(end + 8).toString() };
}

describe('serveStream', () => {
  it('serveStream sends the status and headers before the body, and logs one line', async () => {
    const headers = { ...tagged, 'content-type': 'application/pdf' };
    const { head, body } = await run(async () => ({ status: 200, headers, body: Readable.from(['%PDF', '-1.7']) }));
    expect(head).toEqual({ statusCode: 200, headers: { 'x-content-type-options': 'nosniff', ...headers } });
    expect(body).toBe('%PDF-1.7');
    expect(lines.info).toEqual([expect.stringContaining('"status":200')]);
  });

  it('serveStream returns a status without a body', async () => {
    const { head, body } = await run(async () => ({ status: 304, headers: tagged }));
    expect([head.statusCode, head.headers.etag, body]).toEqual([304, '"a"', '']);
  });

  it.each([
    [new ClientError('unconvertible', 'it is damaged'), 415, { code: 1416, message: 'it is damaged' }],
    [new Error('secret'), 500, { code: 1500, message: expect.stringContaining('request-1') }],
  ])('serveStream returns an Error object for %s', async (thrown, status, error) => {
    const { head, body } = await run(() => Promise.reject(thrown));
    expect(head).toMatchObject({ statusCode: status, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(body)).toEqual(error);
    expect([...lines.info, ...lines.error].join()).not.toContain('secret');
  });

  it('serveStream rejects an invalid request without calling the handler', async () => {
    const { head } = await run(() => Promise.reject(new Error('called')), 'doctype=birth');
    expect(head.statusCode).toBe(400);
  });

  it('serveStream returns the same status and headers for HEAD and GET, and does not read the body for HEAD', async () => {
    const headers = { ...tagged, 'content-type': 'application/pdf' };
    const body = Readable.from(['%PDF', '-1.7']);
    const response = await run(async () => ({ status: 200, headers, body }), undefined, 'HEAD');
    const head = { statusCode: 200, headers: { 'x-content-type-options': 'nosniff', ...headers } };
    expect(response).toEqual({ head, body: '' });
    expect(body.destroyed).toBe(true);
    for (const thrown of [new ClientError('unconvertible', 'it is damaged'), new Error('secret')]) {
      const refused = await run(() => Promise.reject(thrown), undefined, 'HEAD');
      expect(refused.body).toBe('');
      expect(refused.head).toMatchObject((await run(() => Promise.reject(thrown))).head);
    }
  });

  it('serveStream fails the invocation if it cannot read the body, because the status has already been sent', async () => {
    const body = new Readable({ read: () => body.destroy(new Error('S3 hung up')) });
    const headers = { ...tagged, 'content-type': 'application/pdf' };
    await expect(run(async () => ({ status: 200, headers, body }))).rejects.toThrow('S3 hung up');
  });
});
