import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emulators, startEmulators } from '../../../../../infra/local/aws/emulators/emulators.ts';

let emulators: Emulators;

beforeAll(async () => {
  emulators = await startEmulators(undefined);
});

afterAll(() => emulators.stop());

async function isOpen(host: string, port: string): Promise<boolean> {
  const socket = connect({ host, port: Number(port), timeout: 2000 });
  const opened = await new Promise<boolean>((resolve) => {
    for (const event of ['connect', 'timeout', 'error']) socket.once(event, () => resolve(event === 'connect'));
  });
  socket.destroy();
  return opened;
}

test('emulators listen only on the loopback interface because they store personal data and require no password', async () => {
  const urls = [...Object.values(emulators.direct), ...Object.values(emulators.endpoints), emulators.issuer.url];
  const ports = urls.map((url) => new URL(url).port);
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  // A server that listened on all interfaces would also respond on another loopback address.
  const others = ['127.0.0.2', ...interfaces.filter(({ internal }) => !internal).map(({ address }) => address)];
  expect(await Promise.all(ports.map((port) => isOpen('127.0.0.1', port)))).not.toContain(false);
  for (const host of others)
    expect(await Promise.all(ports.map((port) => isOpen(host, port))), host).not.toContain(true);
});
