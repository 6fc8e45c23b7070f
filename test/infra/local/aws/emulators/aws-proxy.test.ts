import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startAwsProxy } from '../../../../../infra/local/aws/emulators/aws-proxy.ts';
import { listenLocally, stopServer } from '../../../../harness/local-server.ts';

test('the proxy repeats a call if the emulator has closed the idle connection', async () => {
  const used = new Set<Socket>();
  const emulator = createServer((request, response) => {
    if (used.has(request.socket)) request.socket.resetAndDestroy();
    else response.end('done');
    used.add(request.socket);
  });
  const target = await listenLocally(emulator);
  const proxy = await startAwsProxy({ service: 'ses', target, access: () => undefined, listeners: new Set() });
  for (const _ of [1, 2]) expect(await (await fetch(proxy.endpoint, { method: 'POST' })).text()).toBe('done');
  expect(used.size).toBe(2);
  await proxy.stop();
  stopServer(emulator);
});
