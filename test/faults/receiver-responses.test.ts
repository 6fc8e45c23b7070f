/*
 * Promise: an attempt ends by its deadline, and its outcome is recorded. The receiver may return no response, invalid
 * HTTP, or a response that is slow, endless or incomplete. The service then closes the connection, and deliveries to
 * other receivers are not delayed. Interim responses (1xx) are skipped: only the final response counts, and the service
 * reuses the connection.
 */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../../shared/domain/deliveries/outcome.ts';
import { aMessage } from '../harness/builders.ts';
import { drip, onEachRequest, onFirstBytes, pour, startMisbehavingServer } from '../harness/misbehaving-server.ts';
import { hang, startReceiver, status } from '../harness/receiver.ts';
import { aSender } from '../harness/sender.ts';

const channel = aSender({ timeoutSeconds: 1 });
afterAll(() => channel.close());

const uuid = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
const deliver = (address: string): Promise<Outcome> => channel.deliver(aMessage(), { uuid, address });

const ok = 'HTTP/1.1 200 OK\r\n';
const zeros = Buffer.alloc(16 * 1024);
const chunk = Buffer.concat([Buffer.from('4000\r\n'), zeros, Buffer.from('\r\n')]);

const more = `X-More: ${'.'.repeat(1000)}\r\n`;
const delivered: Outcome = { class: 'delivered', status: 200 };
const timeout: Outcome = { class: 'timeout' };
const tooLarge: Outcome = { class: 'too-large' };
const broken: Outcome = { class: 'connect' };
const failed = (status: number): Outcome => ({ class: 'http', status });
const notFound = 'HTTP/1.1 404 Not Found\r\n';
const hints = 'HTTP/1.1 103 Early Hints\r\n';
const end = (socket: Socket) => socket.end();

describe.each<[fault: string, onConnection: (socket: Socket) => void, outcome: Outcome]>([
  ['a receiver accepts the connection and sends nothing', () => {}, timeout],
  ['a receiver reads the request and sends nothing', onFirstBytes(''), timeout],
  ['a receiver stops in the middle of the status line', onFirstBytes('HTTP/1.1 20'), timeout],
  ['a receiver stops in the middle of the headers', onFirstBytes(`${ok}X-Half:`), delivered],
  ['a receiver stops after the headers', onFirstBytes(`${ok}Content-Length: 9\r\n\r\n`), delivered],
  ['a receiver drips its headers', onFirstBytes(ok, drip('X-Drip: 1\r\n')), delivered],
  ['a receiver drips its body', onFirstBytes(`${ok}Content-Length: 60000\r\n\r\n`, drip('.')), delivered],
  ['a receiver drips chunks', onFirstBytes(`${ok}Transfer-Encoding: chunked\r\n\r\n`, drip('1\r\n.\r\n')), delivered],
  ['a receiver keeps sending Early Hints slowly', onFirstBytes('', drip(`${hints}\r\n`)), timeout],
  ['a receiver sends one Early Hints response that never ends', onFirstBytes(hints, pour(more)), tooLarge],
  ['a receiver keeps sending Early Hints responses', onFirstBytes('', pour(`${hints}\r\n`.repeat(500))), tooLarge],
  [
    'a receiver sends an endless chunked body',
    onFirstBytes(`${ok}Transfer-Encoding: chunked\r\n\r\n`, pour(chunk)),
    delivered,
  ],
  ['a receiver sends an endless body without a Content-Length', onFirstBytes(`${ok}\r\n`, pour(zeros)), delivered],
  ['a receiver announces a terabyte', onFirstBytes(`${ok}Content-Length: 1099511627776\r\n\r\n`), delivered],
  ['a receiver sends endless headers', onFirstBytes(ok, pour(more)), delivered],
  [
    'a receiver sends 20 KB of headers and a body',
    onFirstBytes(`${ok}${more.repeat(20)}Content-Length: 2\r\n\r\nok`),
    delivered,
  ],
  ['a receiver returns 404 with endless headers', onFirstBytes(notFound, pour(more)), failed(404)],
  [
    'a receiver returns 404 with an endless body',
    onFirstBytes(`${notFound}Transfer-Encoding: chunked\r\n\r\n`, pour(chunk)),
    failed(404),
  ],
  ['a receiver returns 503 and stops in the middle of the headers', onFirstBytes('HTTP/1.1 503 Busy\r\n'), failed(503)],
  ['a receiver closes the connection immediately', end, broken],
  ['a receiver resets the connection immediately', (socket) => socket.resetAndDestroy(), broken],
  ['a receiver closes the connection after it has read the request', onFirstBytes('', end), broken],
  [
    'a receiver resets the connection in the middle of the body',
    onFirstBytes(`${ok}Content-Length: 9\r\n\r\nhe`, (socket) => setTimeout(() => socket.resetAndDestroy(), 20)),
    delivered,
  ],
  [
    'a receiver closes the connection in the middle of the body',
    onFirstBytes(`${ok}Content-Length: 9\r\n\r\nhe`, end),
    delivered,
  ],
  ['a receiver closes the connection in the middle of the status line', onFirstBytes('HTTP/1.1 200', end), broken],
  ['a receiver does not speak HTTP', onFirstBytes('SSH-2.0-OpenSSH_9.9\r\n'), broken],
  [
    'a receiver switches protocols although the request does not ask it to',
    onFirstBytes('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'),
    broken,
  ],
])('when %s,', (_fault, onConnection, expected) => {
  it(`the attempt ends by the deadline with the outcome ${expected.class}, and the connection is closed`, async () => {
    const server = await startMisbehavingServer(onConnection);
    expect(await deliver(`http://127.0.0.1:${server.port}/hook`)).toMatchObject(expected);
    await server.allClosed();
    expect(server.sockets).toHaveLength(1);
  });
});

describe('a receiver that compresses its response', () => {
  const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024));
  expect(bomb.length).toBeGreaterThan(64 * 1024);

  it('the sender requests an uncompressed response and does not decompress a zip bomb', async () => {
    const requests: string[] = [];
    const small = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    expect(small.length).toBeLessThan(64 * 1024);
    const head = `${ok}Content-Encoding: gzip\r\nContent-Length: ${small.length}\r\n\r\n`;
    const server = await startMisbehavingServer((socket) => {
      socket.once('data', (data) => {
        requests.push(String(data));
        socket.write(Buffer.concat([Buffer.from(head), small]));
      });
    });
    const before = process.memoryUsage().arrayBuffers;
    expect(await deliver(`http://127.0.0.1:${server.port}/`)).toEqual({ class: 'delivered', status: 200 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5 * 1024 * 1024);
    expect(requests[0]?.toLowerCase()).toContain('accept-encoding: identity\r\n');
  });

  it.each([
    ['with a Content-Length', `Content-Length: ${bomb.length}\r\n`],
    ['without a Content-Length', ''],
  ])('the sender closes the connection if a response is too large (%s)', async (_what, header) => {
    const head = Buffer.from(`${ok}Content-Encoding: gzip\r\n${header}\r\n`);
    const server = await startMisbehavingServer(onFirstBytes(Buffer.concat([head, bomb])));
    expect(await deliver(`http://127.0.0.1:${server.port}/`)).toEqual(delivered);
    await server.allClosed();
  });
});

describe('a receiver that returns an error', () => {
  const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
  const punctual = aSender({ now: () => now });
  afterAll(() => punctual.close());

  it.each<[code: number, header: string, seconds: number | undefined]>([
    [429, '120', 120],
    [503, 'Wed, 21 Oct 2026 08:28:00 GMT', 3600],
    [503, '999999999', 86_400],
    [429, 'soon', undefined],
    [500, '120', undefined],
    [410, '120', undefined],
  ])(
    'the outcome of an error response with status %i and Retry-After %s contains the status and any applicable delay',
    async (code, header, seconds) => {
      const { url } = await startReceiver(status(code, { 'retry-after': header }));
      const outcome = await punctual.deliver(aMessage(), { uuid, address: url });
      expect(outcome).toEqual({ class: 'http', status: code, ...(seconds && { retryAfterSeconds: seconds }) });
    },
  );
});

it('receivers that do not respond do not delay other receivers on the same host or on a different host', async () => {
  const hanging = await startReceiver((request) =>
    request.path.endsWith('healthy') ? { status: 200 } : hang(request),
  );
  const healthy = await startReceiver();
  let finished = 0;
  const waiting = Array.from({ length: 20 }, () => deliver(hanging.url).finally(() => finished++));
  const outcomes = await Promise.all([deliver(healthy.url), deliver(`${hanging.url}/healthy`)]);
  expect(outcomes).toMatchObject([{ class: 'delivered' }, { class: 'delivered' }]);
  expect(finished).toBe(0);
  expect(await Promise.all(waiting)).toEqual(Array(20).fill({ class: 'timeout' }));
});

describe('an interim response (1xx)', () => {
  const done = 'HTTP/1.1 204 No Content\r\n\r\n';
  const interim = (code: string) => `HTTP/1.1 ${code}\r\nX-Interim: 1\r\n\r\n`;
  const continues = interim('100 Continue');

  it.each([
    ['100', `${continues}${done}`],
    ['100 without a reason phrase', `HTTP/1.1 100\r\n\r\n${done}`],
    ['100 by HTTP/1.0', `HTTP/1.0 100 Continue\r\n\r\n${done}`],
    ['several', `${continues}${interim('102 Processing')}${continues}${interim('103 Early Hints')}${done}`],
  ])('an interim response is skipped, whether it arrives all at once or byte by byte: %s', async (_what, answer) => {
    const whole = await startMisbehavingServer(onEachRequest((socket) => socket.write(answer)));
    const inBytes = await startMisbehavingServer(
      onEachRequest(async (socket) => {
        socket.setNoDelay(true);
        for (const byte of answer) {
          socket.write(byte);
          await new Promise(setImmediate);
        }
      }),
    );
    for (let count = 0; count < 5; count++) {
      for (const { port } of [whole, inBytes]) {
        expect(await deliver(`http://127.0.0.1:${port}/`)).toEqual({ class: 'delivered', status: 204 });
      }
    }
    // If five requests use fewer than five connections, some connections were reused.
    expect(whole.sockets.length).toBeLessThan(5);
    expect(inBytes.sockets.length).toBeLessThan(5);
  });

  it('an interim response is never the outcome: the attempt gets the status of the next response or times out', async () => {
    const server = await startMisbehavingServer(onFirstBytes(`${continues}HTTP/1.1 500 No\r\n`));
    expect(await deliver(`http://127.0.0.1:${server.port}/`)).toEqual({ class: 'http', status: 500 });
    const silent = await startMisbehavingServer(onFirstBytes(continues));
    expect(await deliver(`http://127.0.0.1:${silent.port}/`)).toEqual({ class: 'timeout' });
  });
});
