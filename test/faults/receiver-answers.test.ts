/*
 * Promise: whatever a receiver answers (nothing, drop by drop, without end, half, no HTTP at all), the attempt ends by its
 * deadline with an outcome that is recorded, its connection is closed, and nobody else waits for it.
 */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../../shared/model/deliveries/outcome.ts';
import { drip, onceAsked, pour, startRudeServer } from '../harness/misbehaving-server.ts';
import { hang, startReceiver, status } from '../harness/receiver.ts';
import { aSender } from '../harness/sender.ts';
import { aMessage } from '../support/message.ts';

const channel = aSender({ timeoutSeconds: 1 });
afterAll(() => channel.close());

const uuid = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
const deliver = (address: string): Promise<Outcome> => channel.deliver(aMessage(), { uuid, address });

const ok = 'HTTP/1.1 200 OK\r\n';
const zeros = Buffer.alloc(16 * 1024);
const chunk = Buffer.concat([Buffer.from('4000\r\n'), zeros, Buffer.from('\r\n')]);

const more = `X-More: ${'.'.repeat(1000)}\r\n`;
const delivered: Outcome = { class: 'delivered', status: 200 };

describe.each<[fault: string, onConnection: (socket: Socket) => void, outcome: Outcome]>([
  ['accepts and is silent', () => {}, { class: 'timeout' }],
  ['reads and is silent', onceAsked(''), { class: 'timeout' }],
  ['stops in its status line', onceAsked('HTTP/1.1 20'), { class: 'timeout' }],
  ['stops in its headers', onceAsked(`${ok}X-Half:`), delivered],
  ['stops after its headers', onceAsked(`${ok}Content-Length: 9\r\n\r\n`), delivered],
  ['drips its headers', onceAsked(ok, drip('X-Drip: 1\r\n')), delivered],
  ['drips its body', onceAsked(`${ok}Content-Length: 60000\r\n\r\n`, drip('.')), delivered],
  ['drips chunks', onceAsked(`${ok}Transfer-Encoding: chunked\r\n\r\n`, drip('1\r\n.\r\n')), delivered],
  ['drips early hints', onceAsked('', drip('HTTP/1.1 103 Early Hints\r\n\r\n')), { class: 'timeout' }],
  ['pours one early hint', onceAsked('HTTP/1.1 103 Early Hints\r\n', pour(more)), { class: 'too-large' }],
  ['pours an endless chunked body', onceAsked(`${ok}Transfer-Encoding: chunked\r\n\r\n`, pour(chunk)), delivered],
  ['pours a body that only its end ends', onceAsked(`${ok}\r\n`, pour(zeros)), delivered],
  ['announces a terabyte', onceAsked(`${ok}Content-Length: 1099511627776\r\n\r\n`), delivered],
  [
    'pours many early hints',
    onceAsked('', pour('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(500))),
    { class: 'too-large' },
  ],
  ['pours headers', onceAsked(ok, pour(more)), delivered],
  ['has 20 KB of headers, and a body', onceAsked(`${ok}${more.repeat(20)}Content-Length: 2\r\n\r\nok`), delivered],
  ['says 404 and pours headers', onceAsked('HTTP/1.1 404 Not Found\r\n', pour(more)), { class: 'http', status: 404 }],
  ['says 503 and stops', onceAsked('HTTP/1.1 503 Busy\r\n'), { class: 'http', status: 503 }],
  [
    'says 404 with an endless page',
    onceAsked('HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n', pour(chunk)),
    { class: 'http', status: 404 },
  ],
  ['closes at once', (socket) => socket.end(), { class: 'connect' }],
  ['resets at once', (socket) => socket.resetAndDestroy(), { class: 'connect' }],
  ['closes when asked', onceAsked('', (socket) => socket.end()), { class: 'connect' }],
  [
    'resets in its body',
    onceAsked(`${ok}Content-Length: 9\r\n\r\nhe`, (socket) => setTimeout(() => socket.resetAndDestroy(), 20)),
    delivered,
  ],
  ['closes in its body', onceAsked(`${ok}Content-Length: 9\r\n\r\nhe`, (socket) => socket.end()), delivered],
  ['closes in its status line', onceAsked('HTTP/1.1 200', (socket) => socket.end()), { class: 'connect' }],
  ['speaks no HTTP', onceAsked('SSH-2.0-OpenSSH_9.9\r\n'), { class: 'connect' }],
  ['upgrades unasked', onceAsked('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'), { class: 'connect' }],
])('a receiver that %s', (_fault, onConnection, expected) => {
  it(`is recorded as ${expected.class}, not beyond the deadline, and its connection is closed`, async () => {
    const server = await startRudeServer(onConnection);
    expect(await deliver(`http://127.0.0.1:${server.port}/hook`)).toEqual(expected);
    await server.allClosed();
    expect(server.sockets).toHaveLength(1);
  });
});

describe('a receiver that compresses', () => {
  const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024));
  expect(bomb.length).toBeGreaterThan(64 * 1024);

  it('was asked not to, and a bomb that fits is not opened', async () => {
    const heads: string[] = [];
    const small = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    expect(small.length).toBeLessThan(64 * 1024);
    const answer = `${ok}Content-Encoding: gzip\r\nContent-Length: ${small.length}\r\n\r\n`;
    const server = await startRudeServer((socket) => {
      socket.once('data', (data) => {
        heads.push(String(data));
        socket.write(Buffer.concat([Buffer.from(answer), small]));
      });
    });
    const before = process.memoryUsage().arrayBuffers;
    expect(await deliver(`http://127.0.0.1:${server.port}/`)).toEqual({ class: 'delivered', status: 200 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5 * 1024 * 1024);
    expect(heads[0]?.toLowerCase()).toContain('accept-encoding: identity\r\n');
  });

  it.each([
    ['that is announced', `Content-Length: ${bomb.length}\r\n`],
    ['that is not', ''],
  ])('is cut off when what it sends is too large (%s)', async (_what, header) => {
    const head = Buffer.from(`${ok}Content-Encoding: gzip\r\n${header}\r\n`);
    const server = await startRudeServer(onceAsked(Buffer.concat([head, bomb])));
    expect(await deliver(`http://127.0.0.1:${server.port}/`)).toEqual(delivered);
    await server.allClosed();
  });
});

describe('a receiver that refuses', () => {
  it.each([300, 304, 400, 401, 403, 404, 410, 418, 429, 500, 502, 503, 599])(
    'by %i is recorded with it',
    async (code) => {
      const { url } = await startReceiver(status(code));
      expect(await deliver(url)).toEqual({ class: 'http', status: code });
    },
  );

  it.each([301, 302, 303, 307, 308])('by a redirect to this machine (%i) is not followed', async (code) => {
    const inside = await startReceiver();
    const { url } = await startReceiver(status(code, { location: inside.url }));
    expect(await deliver(url)).toEqual({ class: 'http', status: code });
    expect(inside.received).toEqual([]);
  });

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
  ])('by %i with Retry-After: %s', async (code, header, seconds) => {
    const { url } = await startReceiver(status(code, { 'retry-after': header }));
    const outcome = await punctual.deliver(aMessage(), { uuid, address: url });
    expect(outcome).toEqual({ class: 'http', status: code, ...(seconds && { retryAfterSeconds: seconds }) });
  });
});

describe('receivers that hang', () => {
  it('delay nobody else, at their own host or another', async () => {
    const hanging = await startReceiver((request) => (request.path.endsWith('well') ? { status: 200 } : hang(request)));
    const healthy = await startReceiver();
    let over = 0;
    const waiting = Array.from({ length: 20 }, () => deliver(hanging.url).finally(() => over++));
    const answered = await Promise.all([deliver(healthy.url), deliver(`${hanging.url}/well`)]);
    expect(answered).toMatchObject([{ class: 'delivered' }, { class: 'delivered' }]);
    expect(over).toBe(0);
    expect(await Promise.all(waiting)).toEqual(Array(20).fill({ class: 'timeout' }));
  });
});
