import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { composeMessage } from '../../../shared/domain/deliveries/compose-message.ts';
import { aNotification, aTopic } from '../../harness/builders.ts';
import { startMisbehavingServer } from '../../harness/misbehaving-server.ts';
import { startReceiver, status } from '../../harness/receiver.ts';
import { aSender } from '../../harness/sender.ts';

const sender = aSender({ timeoutSeconds: 10 });
afterAll(() => sender.close());

const topic = aTopic({ name: 'CR' });
const uuid = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
const settings = { baseUrl: 'https://registry.example', deliveryFormat: 'raw' } as const;
const aMessage = (body: string | Uint8Array = '{}', subject?: string) => {
  const content = aNotification(topic, { ...(subject === undefined ? {} : { subject }) });
  return composeMessage(content, Buffer.from(body as string).toString('base64'), settings);
};

describe('the http sender', () => {
  it('the HTTP sender posts the body and headers unchanged to the exact address of the receiver', async () => {
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

  it.each([200, 201, 202, 204, 299])('the HTTP sender counts the status %i as delivered', async (code) => {
    const { url } = await startReceiver(status(code));
    expect(await sender.deliver(aMessage(), { uuid, address: url })).toEqual({ class: 'delivered', status: code });
  });

  it.each([300, 304, 400, 401, 404, 410, 429, 500, 503, 599])(
    'the HTTP sender counts the status %i as a failed attempt',
    async (code) => {
      const { url } = await startReceiver(status(code));
      expect(await sender.deliver(aMessage(), { uuid, address: url })).toEqual({ class: 'http', status: code });
    },
  );

  it('the HTTP sender opens a new connection for each message if the receiver closes each connection', async () => {
    const receiver = await startReceiver(status(200, { connection: 'close' }));
    for (let count = 0; count < 3; count++) {
      expect(await sender.deliver(aMessage(), { uuid, address: receiver.url })).toMatchObject({ class: 'delivered' });
    }
    expect(receiver.received).toHaveLength(3);
  });

  it('the HTTP sender closes idle connections, because a frozen function does not notice when receivers close them', async () => {
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
