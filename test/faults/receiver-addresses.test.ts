/*
 * Promise: we connect where we have looked and nowhere else. A name that does not resolve, resolves to the inside or changes
 * its mind costs one recorded attempt, and never leads us into a network that receivers may not be in.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { addressGuard, type Resolve } from '../../shared/delivery/http/address-guard.ts';
import { startRudeServer } from '../harness/misbehaving-server.ts';
import { startReceiver } from '../harness/receiver.ts';
import { aSender, loopback } from '../harness/sender.ts';
import { aMessage } from '../support/message.ts';

const uuid = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';
const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

/** Delivers over a channel whose names resolve as the test says, and counts the look-ups. */
function withNames(resolve: Resolve, allowedNetworks = loopback) {
  const asked: string[] = [];
  const counting: Resolve = (name) => {
    asked.push(name);
    return resolve(name);
  };
  const guard = addressGuard({ allowedNetworks, resolve: counting });
  const channel = aSender({ guard });
  closing.push(channel.close);
  return { asked, guard, deliver: (address: string) => channel.deliver(aMessage(), { uuid, address }) };
}

const failsWith =
  (code: string): Resolve =>
  () =>
    Promise.reject(Object.assign(new Error(code), { code }));

describe('a name', () => {
  it.each(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'EAI_FAIL'])(
    'that does not resolve (%s) is recorded as dns',
    async (code) => {
      expect(await withNames(failsWith(code)).deliver('http://gone.example/')).toEqual({ class: 'dns' });
    },
  );

  it('of the reserved domain `invalid` does not resolve for the system either', async () => {
    const channel = aSender({ guard: addressGuard({ allowedNetworks: loopback }), timeoutSeconds: 10 });
    closing.push(channel.close);
    const outcome = await channel.deliver(aMessage(), { uuid, address: 'http://receiver.invalid/' });
    expect(outcome).toEqual({ class: 'dns' });
  });

  it('without an address is recorded as dns', async () => {
    expect(await withNames(async () => []).deliver('https://empty.example/')).toEqual({ class: 'dns' });
  });

  it('whose look-up hangs is recorded as timeout', async () => {
    const { deliver } = withNames(() => new Promise(() => {}));
    expect(await deliver('http://slow.example/')).toEqual({ class: 'timeout' });
  });

  it('is delivered to at the address that was checked, at one look-up for a connection', async () => {
    const receiver = await startReceiver();
    const { port } = new URL(receiver.url);
    const { asked, deliver } = withNames(async () => [{ address: '127.0.0.1', family: 4 }]);
    for (let count = 0; count < 6; count++) {
      expect(await deliver(`http://receiver.example:${port}/`)).toEqual({ class: 'delivered', status: 200 });
    }
    // One connection, or two when the second message is quicker than the first connection is free again.
    expect(new Set(asked)).toEqual(new Set(['receiver.example']));
    expect(asked.length).toBeLessThanOrEqual(2);
    expect(receiver.received.map(({ headers }) => headers.host)).toEqual(Array(6).fill(`receiver.example:${port}`));
  });

  it('that turns private after it was checked is still connected to where it was checked', async () => {
    const inside = await startRudeServer(() => {}, { host: '127.0.0.2' });
    const receiver = await startRudeServer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'), {
      port: inside.port,
    });
    const answers = ['127.0.0.1', '127.0.0.2'];
    const { asked, deliver } = withNames(async () => [{ address: answers[asked.length - 1] ?? '', family: 4 }]);
    expect(await deliver(`http://turns.example:${inside.port}/`)).toEqual({ class: 'delivered', status: 204 });
    expect(asked).toHaveLength(1);
    expect(receiver.sockets).toHaveLength(1);
    expect(inside.sockets).toHaveLength(0);
  });

  it('that was public when it subscribed and is private when it is connected to is blocked', async () => {
    const inside = await startReceiver();
    const answers = ['93.184.216.34', '127.0.0.1'];
    const { asked, guard, deliver } = withNames(
      async () => [{ address: answers[asked.length - 1] ?? '', family: 4 }],
      [],
    );
    const address = inside.url.replace('127.0.0.1', 'turns.example');
    expect(await guard.isBlocked(new URL(address))).toBe(false);
    expect(await deliver(address)).toEqual({ class: 'blocked' });
    expect(inside.received).toEqual([]);
  });

  it('with one private answer among public ones is blocked, whichever comes first', async () => {
    const inside = await startReceiver();
    const address = inside.url.replace('127.0.0.1', 'mixed.example');
    const answers = [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    for (const order of [answers, answers.toReversed()]) {
      expect(await withNames(async () => order, []).deliver(address)).toEqual({ class: 'blocked' });
    }
    expect(inside.received).toEqual([]);
  });
});

describe('a connection', () => {
  it('that is refused is recorded as connect', async () => {
    const receiver = await startReceiver();
    await receiver.close();
    expect(await withNames(failsWith('ENOTFOUND')).deliver(receiver.url)).toEqual({ class: 'connect' });
  });

  it('goes around the proxies of the environment', async () => {
    const proxy = await startRudeServer(() => {});
    const receiver = await startReceiver();
    const before = { ...process.env };
    const proxyUrl = `http://127.0.0.1:${proxy.port}`;
    const names = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [name, name.toUpperCase()]);
    Object.assign(process.env, Object.fromEntries(names.map((name) => [name, proxyUrl])), {
      NODE_USE_ENV_PROXY: '1',
      NO_PROXY: '',
    });
    try {
      expect(await withNames(failsWith('ENOTFOUND')).deliver(receiver.url)).toMatchObject({ class: 'delivered' });
    } finally {
      process.env = before;
    }
    expect(proxy.sockets).toEqual([]);
    expect(receiver.received).toHaveLength(1);
  });
});
