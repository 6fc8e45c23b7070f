/*
 * Promise: the service connects only to addresses that it has checked. If a host name does not resolve, or resolves to
 * a private address, the service records one failed attempt. Even if the address of a host name changes, the service
 * never connects to a forbidden network.
 */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { addressGuard, type Resolve } from '../../shared/delivery/http/address-guard.ts';
import { aMessage } from '../harness/builders.ts';
import { startMisbehavingServer } from '../harness/misbehaving-server.ts';
import { startReceiver } from '../harness/receiver.ts';
import { aSender, loopback } from '../harness/sender.ts';

const uuid = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
const cleanUps: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(cleanUps.map((close) => close())));

/** Returns a sender that uses the given name resolution and records each lookup. */
function withNames(resolve: Resolve, allowedNetworks = loopback) {
  const lookups: string[] = [];
  const counting: Resolve = (name) => {
    lookups.push(name);
    return resolve(name);
  };
  const guard = addressGuard({ allowedNetworks, resolve: counting });
  const channel = aSender({ guard });
  cleanUps.push(channel.close);
  return { lookups, guard, deliver: (address: string) => channel.deliver(aMessage(), { uuid, address }) };
}

const failsWith =
  (code: string): Resolve =>
  () =>
    Promise.reject(Object.assign(new Error(code), { code }));

describe('a host name', () => {
  it.each(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'EAI_FAIL'])(
    'a delivery to a host name that does not resolve (%s) fails with a `dns` error',
    async (code) => {
      expect(await withNames(failsWith(code)).deliver('http://gone.example/')).toEqual({ class: 'dns', code });
    },
  );

  it('a delivery to a host name in the domain `invalid` fails with a `dns` error from the system resolver', async () => {
    const channel = aSender({ guard: addressGuard({ allowedNetworks: loopback }), timeoutSeconds: 10 });
    cleanUps.push(channel.close);
    const outcome = await channel.deliver(aMessage(), { uuid, address: 'http://receiver.invalid/' });
    expect(outcome).toMatchObject({ class: 'dns' });
  });

  it('a delivery to a host name without addresses fails with a `dns` error', async () => {
    expect(await withNames(async () => []).deliver('https://empty.example/')).toMatchObject({ class: 'dns' });
  });

  it('a delivery times out if the lookup of the host name never ends', async () => {
    const { deliver } = withNames(() => new Promise(() => {}));
    expect(await deliver('http://slow.example/')).toEqual({ class: 'timeout' });
  });

  it('the sender connects to the checked address even if the host name resolves to a private address afterwards', async () => {
    const privateServer = await startMisbehavingServer(() => {}, { host: '127.0.0.2' });
    const receiver = await startMisbehavingServer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'), {
      port: privateServer.port,
    });
    const answers = ['127.0.0.1', '127.0.0.2'];
    const { lookups, deliver } = withNames(async () => [{ address: answers[lookups.length - 1] ?? '', family: 4 }]);
    expect(await deliver(`http://turns.example:${privateServer.port}/`)).toEqual({ class: 'delivered', status: 204 });
    expect(lookups).toHaveLength(1);
    expect(receiver.sockets).toHaveLength(1);
    expect(privateServer.sockets).toHaveLength(0);
  });

  it('a host name that resolved to a public address at subscription is blocked if it resolves to a private address at delivery', async () => {
    const privateServer = await startReceiver();
    const answers = ['93.184.216.34', '127.0.0.1'];
    const { lookups, guard, deliver } = withNames(
      async () => [{ address: answers[lookups.length - 1] ?? '', family: 4 }],
      [],
    );
    const address = privateServer.url.replace('127.0.0.1', 'turns.example');
    expect(await guard.isBlocked(new URL(address))).toBe(false);
    expect(await deliver(address)).toEqual({ class: 'blocked' });
    expect(privateServer.received).toEqual([]);
  });
});

it('deliveries ignore the proxy settings in the environment', async () => {
  const proxy = await startMisbehavingServer(() => {});
  const receiver = await startReceiver();
  const proxyUrl = `http://127.0.0.1:${proxy.port}`;
  const names = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [name, name.toUpperCase()]);
  for (const name of names) vi.stubEnv(name, proxyUrl);
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
  vi.stubEnv('NO_PROXY', '');
  expect(await withNames(failsWith('ENOTFOUND')).deliver(receiver.url)).toMatchObject({ class: 'delivered' });
  vi.unstubAllEnvs();
  expect(proxy.sockets).toEqual([]);
  expect(receiver.received).toHaveLength(1);
});
