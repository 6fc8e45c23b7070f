/*
 * Promise: a receiver that cannot prove its identity does not receive any part of a message. A certificate error is
 * recorded like any other failed attempt.
 */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressGuard } from '../../shared/delivery/http/address-guard.ts';
import { aMessage } from '../harness/builders.ts';
import { selfSigned } from '../harness/certificate.ts';
import { onEachRequest, onFirstBytes, startMisbehavingServer } from '../harness/misbehaving-server.ts';
import { startReceiver } from '../harness/receiver.ts';
import { aSender, loopback } from '../harness/sender.ts';

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
const answers = onFirstBytes('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');

// This process trusts the test certificates, just as a deployment can trust its own certificate authority.
beforeAll(() => setDefaultCACertificates([...getCACertificates(), trusted.cert, expired.cert]));

describe('a receiver with an https address', () => {
  it('a receiver gets the message if a trusted authority issued its certificate', async () => {
    const server = await startMisbehavingServer(answers, { tls: trusted });
    expect(await deliver(server.port)).toEqual({ class: 'delivered', status: 200 });
  });

  it('a receiver that first sends 100 Continue gets its messages over reused connections', async () => {
    const answer = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
    const server = await startMisbehavingServer(
      onEachRequest((socket) => socket.write(answer)),
      { tls: trusted },
    );
    for (let count = 0; count < 5; count++) {
      expect(await deliver(server.port)).toEqual({ class: 'delivered', status: 200 });
    }
    expect(server.sockets.length).toBeLessThan(5);
  });

  it.each([
    ['a certificate from an unknown authority', unknown, 'receiver.example', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['an expired certificate', expired, 'receiver.example', 'CERT_HAS_EXPIRED'],
    ['a certificate for a different host name', trusted, 'other.example', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['a certificate that does not cover the IP address', trusted, '127.0.0.1', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('a receiver with %s receives no part of the message', async (_what, tls, host, code) => {
    const received: Buffer[] = [];
    const server = await startMisbehavingServer((socket) => socket.on('data', (data) => received.push(data)), {
      tls,
    });
    expect(await deliver(server.port, host)).toEqual({ class: 'tls', code });
    await server.allClosed();
    expect(received).toEqual([]);
  });

  it('a receiver needs a valid certificate even if an environment variable disables verification', async () => {
    const server = await startMisbehavingServer(answers, { tls: unknown });
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expect(await deliver(server.port)).toMatchObject({ class: 'tls' });
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });

  it('a delivery to a receiver that does not use TLS fails with a `tls` error', async () => {
    const { url } = await startReceiver();
    expect(await deliver(Number(new URL(url).port))).toMatchObject({ class: 'tls' });
  });

  it('a delivery times out if the receiver sends nothing during the handshake, and the connection is closed', async () => {
    const server = await startMisbehavingServer(() => {});
    expect(await deliver(server.port)).toMatchObject({ class: 'timeout' });
    await server.allClosed();
  });

  it('a delivery fails with a `connect` error if the receiver closes the connection during the handshake', async () => {
    const server = await startMisbehavingServer((socket) => socket.end());
    expect(await deliver(server.port)).toMatchObject({ class: 'connect' });
  });
});
