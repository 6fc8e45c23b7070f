import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange } from '../../../shared/delivery/http/exchange.ts';
import { Busy } from '../../../shared/domain/deliveries/task.ts';
import { withinInvocation } from '../../../shared/lambda/time-left.ts';
import { aMessage } from '../../harness/builders.ts';
import { aSender } from '../../harness/sender.ts';

const mostSockets = 100;
const uuid = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
let open = 0;
let mostOpen = 0;
let heldUntil = 0;
let connections = 0;
const held: ServerResponse[] = [];
let server: Server;
let port = 0;

beforeAll(async () => {
  server = createServer((_request, response) => {
    // Connections stay open until `mostOpen` reaches `heldUntil`, so that the result does not depend on timing.
    if (mostOpen < heldUntil) held.push(response);
    else for (const each of [...held.splice(0), response]) setTimeout(() => each.end(), 5);
  });
  server.on('connection', (socket) => {
    connections++;
    open++;
    mostOpen = Math.max(mostOpen, open);
    socket.on('close', () => open--);
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => void server.close().closeAllConnections());

/** Returns the URLs of `count` receivers, each with a different IP address. */
const receivers = (count: number, from = 0) =>
  Array.from(
    { length: count },
    (_, index) => `http://127.1.${Math.floor((from + index) / 250)}.${((from + index) % 250) + 1}:${port}/`,
  );

const code = (name: string) => Object.assign(new Error(name), { code: name });

it('the number of open sockets stays within its limit during batches with many receivers', async () => {
  mostOpen = 0;
  heldUntil = mostSockets;
  const sender = aSender({ timeoutSeconds: 60, maxSockets: mostSockets });
  for (let batch = 0; batch < 3; batch++) {
    const batched = receivers(150, batch * 150).map((address) => sender.deliver(aMessage(), { uuid, address }));
    expect(await Promise.all(batched)).toEqual(Array(150).fill({ class: 'delivered', status: 200 }));
  }
  // The server may notice a closed socket only after the next socket has opened.
  expect(mostOpen).toBeLessThanOrEqual(mostSockets + 10);
  await sender.close();
});

it('open sockets are reused while their number is below the limit', async () => {
  connections = 0;
  const sender = aSender({ timeoutSeconds: 10, maxSockets: mostSockets });
  for (let batch = 0; batch < 3; batch++) {
    await Promise.all(receivers(60).map((address) => sender.deliver(aMessage(), { uuid, address })));
    // A connection becomes idle only after the response has ended and the event loop has run at least once.
    await sleep(20);
    for (let turn = 0; turn < 50; turn++) await setImmediate();
  }
  expect(connections).toBe(60);
  await sender.close();
});

it('the HTTP sender does not wait for a socket if too little time is left to record the attempt', async () => {
  const sender = aSender({ timeoutSeconds: 10, maxSockets: 1 });
  let leftMs = 40_000;
  const delivering = withinInvocation(
    () => leftMs,
    () => receivers(4).map((address) => sender.deliver(aMessage(), { uuid, address })),
  );
  await delivering[0];
  leftMs = 29_999;
  for (const late of delivering.slice(1)) await expect(late).rejects.toThrow(Busy);
  await sender.close();
});

it('the HTTP sender posts no message if signing leaves too little time to record the attempt', async () => {
  let leftMs = 40_000;
  const sign = async () => {
    leftMs = 29_999;
    return {};
  };
  const sender = aSender({ timeoutSeconds: 10, sign });
  connections = 0;
  const [address = ''] = receivers(1);
  const delivering = withinInvocation(
    () => leftMs,
    () => sender.deliver(aMessage(), { uuid, address }),
  );
  await expect(delivering).rejects.toThrow(Busy);
  expect(connections).toBe(0);
  await sender.close();
});

it.each(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS'])(
  '`exchange` throws an internal error for %s instead of returning an outcome',
  async (name) => {
    const dispatcher = {
      dispatch: (_request: unknown, handler: { onResponseError(controller: unknown, error: Error): void }) =>
        handler.onResponseError(undefined, code(name)),
    } as unknown as Parameters<typeof exchange>[0];
    await expect(exchange(dispatcher, { path: '/', method: 'POST' }, { timeoutMs: 1000 })).rejects.toThrow(name);
  },
);
