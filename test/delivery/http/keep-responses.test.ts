import { afterAll, describe, expect, it } from 'vitest';
import { addressGuard } from '../../../shared/delivery/http/address-guard.ts';
import { aMessage } from '../../harness/builders.ts';
import { drip, onEachRequest, onFirstBytes, startMisbehavingServer } from '../../harness/misbehaving-server.ts';
import { type Respond, startReceiver } from '../../harness/receiver.ts';
import { aSender, loopback } from '../../harness/sender.ts';

const uuid = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
const sender = aSender({ timeoutSeconds: 1, keepResponses: true });
const usual = aSender();
afterAll(() => Promise.all([sender.close(), usual.close()]));

const body = 'a'.repeat(600);
const rejects: Respond = () => ({ status: 400, body });
const notFound = 'HTTP/1.1 404 Not Found\r\n';

const send = (address: string, by = sender) => by.deliver(aMessage(), { uuid, address });

async function sendRaw(...served: Parameters<typeof onFirstBytes>) {
  const { port } = await startMisbehavingServer(onFirstBytes(...served));
  return send(`http://127.0.0.1:${port}/`);
}

describe('the http sender', () => {
  it('the HTTP sender returns the first 512 bytes of an error response only if the deployment stores responses', async () => {
    const { url } = await startReceiver(rejects);
    expect(await send(url)).toEqual({ class: 'http', status: 400, response: 'a'.repeat(512) });
    expect(await send(url, usual)).toEqual({ class: 'http', status: 400 });
  });

  it('the HTTP sender returns no response if the body is empty or the message was delivered', async () => {
    const receiver = await startReceiver(() => ({ status: 500 }));
    expect(await send(receiver.url)).toEqual({ class: 'http', status: 500 });
    receiver.answer(() => ({ status: 200, body }));
    expect(await send(receiver.url)).toEqual({ class: 'delivered', status: 200 });
  });

  it('the HTTP sender returns no response from an address in an allowed network', async () => {
    const { url } = await startReceiver(rejects);
    const guard = Object.assign(addressGuard({ allowedNetworks: loopback }), { isInternal: () => true });
    const inside = aSender({ keepResponses: true, guard });
    expect(await send(url, inside)).toEqual({ class: 'http', status: 400, isInternal: true });
    await inside.close();
  });

  it.each<[string, ...Parameters<typeof onFirstBytes>]>([
    ['a response that arrives byte by byte', `${notFound}Content-Length: 60000\r\n\r\nbegin`, drip('.')],
    ['a response that stops', `${notFound}Content-Length: 60000\r\n\r\nbegin`],
    ['a response that breaks off', `${notFound}Content-Length: 9\r\n\r\nbegin`, (socket) => socket.end()],
    ['an endless response', `${notFound}\r\nbegin`, drip('.'.repeat(10_000))],
  ])('the HTTP sender returns the part of %s that arrived by the deadline', async (_what, ...served) => {
    expect(await sendRaw(...served)).toMatchObject({
      class: 'http',
      status: 404,
      response: expect.stringMatching(/^begin\.{0,507}$/),
    });
  });

  it('the HTTP sender does not wait until the deadline for a response that is too long to read', async () => {
    const { port } = await startMisbehavingServer(onFirstBytes(`${notFound}Content-Length: 70000\r\n\r\nbegin`));
    const patient = aSender({ timeoutSeconds: 3600, keepResponses: true });
    expect(await send(`http://127.0.0.1:${port}/`, patient)).toEqual({ class: 'http', status: 404, response: 'begin' });
    await patient.close();
  });

  it.each([
    ['200 OK', { class: 'delivered', status: 200 }],
    ['400 Bad Request', { class: 'http', status: 400, response: 'begin' }],
  ])(
    'the HTTP sender reads a %s response without a Content-Length to the end, and reuses the connection',
    async (statusLine, outcome) => {
      const chunked = `HTTP/1.1 ${statusLine}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbegin\r\n0\r\n\r\n`;
      const server = await startMisbehavingServer(onEachRequest((socket) => socket.write(chunked)));
      for (let count = 0; count < 5; count++) expect(await send(`http://127.0.0.1:${server.port}/`)).toEqual(outcome);
      // If there are fewer connections than requests, connections were reused.
      expect(server.sockets.length).toBeLessThan(5);
    },
  );

  it('the HTTP sender returns the first 512 bytes of a response that is too long to read', async () => {
    const outcome = await sendRaw(`${notFound}Content-Length: 1099511627776\r\n\r\n${body}`);
    expect(outcome).toEqual({ class: 'http', status: 404, response: 'a'.repeat(512) });
  });
});
