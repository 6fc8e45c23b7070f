import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { composeMessage } from '../../../shared/domain/deliveries/compose-message.ts';
import { aNotification, aTopic } from '../../harness/builders.ts';
import { startMisbehavingServer } from '../../harness/misbehaving-server.ts';
import { hang, startReceiver, status } from '../../harness/receiver.ts';
import { aSender } from '../../harness/sender.ts';

const sender = aSender({ timeoutSeconds: 10 });
// This sender times out after 0.4 seconds, for tests with receivers that never respond.
const hasty = aSender({ timeoutSeconds: 1 });
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => Promise.all([sender.close(), hasty.close()]));

const topic = aTopic({ name: 'CR' });
const uuid = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
const settings = { baseUrl: 'https://registry.example', deliveryFormat: 'raw' } as const;
const aMessage = (body: string | Uint8Array = '{}', subject?: string) => {
  const content = aNotification(topic, { ...(subject === undefined ? {} : { subject }) });
  return composeMessage(content, Buffer.from(body as string).toString('base64'), settings);
};

/** Starts a raw TCP server that calls `onConnection` for each connection. Returns the URL of the server. */
async function aServer(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/hook`;
}

describe('the http sender', () => {
  it('posts the body byte for byte, together with its headers, to the unchanged address', async () => {
    const receiver = await startReceiver();
    const body = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
    const message = aMessage(body, 'décès');
    const outcome = await sender.deliver(message, { uuid, address: `${receiver.url}/a%20b?x=1&y=%C3%A9` });
    expect(outcome).toEqual({ class: 'delivered', status: 200 });
    const [request] = receiver.received;
    expect(request?.method).toBe('POST');
    expect(request?.path).toBe('/events/a%20b?x=1&y=%C3%A9');
    expect(request?.body.equals(body)).toBe(true);
    expect(request?.headers).toMatchObject({
      'message-type': 'Notification',
      'subscription-id': uuid,
      'message-id': message.messageId,
      'topic-id': topic.uuid,
      subject: 'd%C3%A9c%C3%A8s',
      'content-type': 'application/json',
      'content-length': '70000',
    });
  });

  it.each([200, 201, 202, 204, 299])('counts the status %i as delivered', async (code) => {
    const { url } = await startReceiver(status(code));
    expect(await sender.deliver(aMessage(), { uuid, address: url })).toEqual({ class: 'delivered', status: code });
  });

  it.each([300, 304, 400, 401, 404, 410, 429, 500, 503, 599])(
    'counts the status %i as a failed attempt',
    async (code) => {
      const { url } = await startReceiver(status(code));
      expect(await sender.deliver(aMessage(), { uuid, address: url })).toEqual({ class: 'http', status: code });
    },
  );

  it.each([301, 302, 303, 307, 308])('does not follow a redirect with the status %i', async (code) => {
    const elsewhere = await startReceiver();
    const receiver = await startReceiver(status(code, { location: elsewhere.url }));
    expect(await sender.deliver(aMessage(), { uuid, address: receiver.url })).toEqual({ class: 'http', status: code });
    expect(elsewhere.received).toEqual([]);
    expect(receiver.received).toHaveLength(1);
  });

  it('stops an attempt if the receiver never responds', async () => {
    const { url } = await startReceiver(hang);
    expect(await hasty.deliver(aMessage(), { uuid, address: url })).toEqual({ class: 'timeout' });
  });

  it('uses the status of a response if its body is still arriving at the deadline', async () => {
    const address = await aServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n');
      const drip = setInterval(() => socket.write('.'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await hasty.deliver(aMessage(), { uuid, address })).toEqual({ class: 'delivered', status: 200 });
  });

  it('uses the status of a response if its headers are still arriving at the deadline', async () => {
    const address = await aServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('X-Drip: 1\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await hasty.deliver(aMessage(), { uuid, address })).toEqual({ class: 'delivered', status: 200 });
  });

  it('stops reading an endless response', async () => {
    let written = 0;
    const { promise: isClosed, resolve: closed } = Promise.withResolvers<void>();
    const chunk = Buffer.alloc(16 * 1024, '.');
    const address = await aServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const pour = () => {
        while (!socket.destroyed) {
          written += chunk.length;
          if (!socket.write(`4000\r\n${chunk}\r\n`)) break;
        }
      };
      socket.on('drain', pour);
      socket.on('close', () => closed());
      socket.once('data', pour);
    });
    expect(await sender.deliver(aMessage(), { uuid, address })).toEqual({ class: 'delivered', status: 200 });
    await isClosed;
    // The server also counts the data in socket buffers that the sender never reads.
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  it('reports a connection that the receiver refuses', async () => {
    const receiver = await startReceiver();
    await receiver.close();
    expect(await sender.deliver(aMessage(), { uuid, address: receiver.url })).toEqual({
      class: 'connect',
      code: 'ECONNREFUSED',
    });
  });

  it.each([
    ['closes without a response', (socket: Socket) => socket.once('data', () => socket.end())],
    ['does not speak HTTP', (socket: Socket) => socket.once('data', () => socket.end('hello\r\n\r\n'))],
    ['closes during its response', (socket: Socket) => socket.once('data', () => socket.end('HTTP/1.1 2'))],
  ])('reports a failed connection if a receiver %s', async (_what, onConnection) => {
    const address = await aServer((socket) => void onConnection(socket));
    expect(await sender.deliver(aMessage(), { uuid, address })).toEqual({ class: 'connect' });
  });

  it('reports a TLS error if the receiver at an https address does not speak TLS', async () => {
    const { url } = await startReceiver();
    const address = url.replace('http:', 'https:');
    expect(await sender.deliver(aMessage(), { uuid, address })).toEqual({
      class: 'tls',
      code: 'ERR_SSL_WRONG_VERSION_NUMBER',
    });
  });

  it('sends messages on new connections if the receiver closes each connection', async () => {
    const receiver = await startReceiver(status(200, { connection: 'close' }));
    for (let count = 0; count < 3; count++) {
      expect(await sender.deliver(aMessage(), { uuid, address: receiver.url })).toMatchObject({ class: 'delivered' });
    }
    expect(receiver.received).toHaveLength(3);
  });

  it('reuses connections but closes idle ones, because a frozen function does not notice when receivers close them', async () => {
    const server = await startMisbehavingServer((socket) => {
      socket.on('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
    });
    let now = 0;
    const pausing = aSender({ now: () => now });
    const deliverMany = async () => {
      for (let count = 0; count < 5; count++) {
        const address = `http://127.0.0.1:${server.port}/`;
        expect(await pausing.deliver(aMessage(), { uuid, address })).toEqual({ class: 'delivered', status: 204 });
      }
    };
    await deliverMany();
    const before = [...server.sockets];
    expect(before.length).toBeLessThan(5);
    now += 60_000;
    await deliverMany();
    await Promise.all(before.map((socket) => socket.closed || once(socket, 'close')));
    expect(server.sockets.length).toBeGreaterThan(before.length);
    await pausing.close();
  });
});
