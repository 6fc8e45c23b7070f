/*
 * Promise: a receiver that cannot prove who it is gets not a byte of a message; what is wrong with its certificate is recorded
 * like any other failed attempt.
 */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressGuard } from '../../shared/delivery/http/address-guard.ts';
import { selfSigned } from '../harness/certificate.ts';
import { eachTime, onceAsked, startRudeServer } from '../harness/misbehaving-server.ts';
import { startReceiver } from '../harness/receiver.ts';
import { aSender, loopback } from '../harness/sender.ts';
import { aMessage } from '../support/message.ts';

const guard = addressGuard({ allowedNetworks: loopback, resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
const channel = aSender({ guard });
afterAll(() => channel.close());

const uuid = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
const deliver = (port: number, host = 'receiver.example') =>
  channel.deliver(aMessage(), { uuid, address: `https://${host}:${port}/hook` });

const day = 24 * 3600 * 1000;
const trusted = selfSigned('receiver.example');
const expired = selfSigned('receiver.example', Date.now() - 3 * day, Date.now() - day);
const unknown = selfSigned('receiver.example');
const answers = onceAsked('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');

// As a deployment would trust an authority of its own.
beforeAll(() => setDefaultCACertificates([...getCACertificates(), trusted.cert, expired.cert]));

describe('a receiver over TLS', () => {
  it('with a certificate of a known authority is delivered to', async () => {
    const server = await startRudeServer(answers, { tls: trusted });
    expect(await deliver(server.port)).toEqual({ class: 'delivered', status: 200 });
  });

  it('that says 100 Continue first is delivered to, over a connection that serves again', async () => {
    const answer = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
    const server = await startRudeServer(
      eachTime((socket) => socket.write(answer)),
      { tls: trusted },
    );
    for (let count = 0; count < 5; count++) {
      expect(await deliver(server.port)).toEqual({ class: 'delivered', status: 200 });
    }
    expect(server.sockets.length).toBeLessThan(5);
  });

  it.each([
    ['of an unknown authority', unknown, 'receiver.example'],
    ['that has expired', expired, 'receiver.example'],
    ['of another name', trusted, 'other.example'],
    ['of a name, at an address', trusted, '127.0.0.1'],
  ])('with a certificate %s gets nothing', async (_what, tls, host) => {
    const heard: Buffer[] = [];
    const server = await startRudeServer((socket) => socket.on('data', (data) => heard.push(data)), { tls });
    expect(await deliver(server.port, host)).toEqual({ class: 'tls' });
    await server.allClosed();
    expect(heard).toEqual([]);
  });

  it('is checked even where the environment says not to', async () => {
    const server = await startRudeServer(answers, { tls: unknown });
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expect(await deliver(server.port)).toEqual({ class: 'tls' });
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });

  it('that speaks none where it should', async () => {
    const { url } = await startReceiver();
    expect(await deliver(Number(new URL(url).port))).toEqual({ class: 'tls' });
  });

  it('that is silent in the handshake is given up at the deadline, and the connection closed', async () => {
    const server = await startRudeServer(() => {});
    expect(await deliver(server.port)).toEqual({ class: 'timeout' });
    await server.allClosed();
  });

  it('that closes in the handshake', async () => {
    const server = await startRudeServer((socket) => socket.end());
    expect(await deliver(server.port)).toEqual({ class: 'connect' });
  });
});
