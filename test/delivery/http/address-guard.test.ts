import type { LookupAddress } from 'node:dns';
import { afterAll, describe, expect, it } from 'vitest';
import { addressGuard, type Resolve } from '../../../shared/delivery/http/address-guard.ts';
import { ClientError } from '../../../shared/domain/client-errors.ts';
import { networks } from '../../../shared/domain/network.ts';
import { normaliseAddress } from '../../../shared/domain/subscriptions/subscription-address.ts';
import { aMessage } from '../../harness/builders.ts';
import { aSender } from '../../harness/sender.ts';

const answersOf: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  'six.example': ['2606:4700::6810:84e5'],
  'private-last.example': ['93.184.216.34', '10.0.0.1'],
  'private-first.example': ['10.0.0.1', '93.184.216.34'],
  'private-six.example': ['93.184.216.34', 'fd12:3456::1'],
  'mapped.example': ['::ffff:93.184.216.34'],
  'metadata.example': ['169.254.169.254'],
  'loopback-six.example': ['::1'],
  'zone.example': ['fe80::1%eth0'],
  'nonsense.example': ['nonsense'],
  localhost: ['127.0.0.1'],
  'localhost.': ['127.0.0.1'],
  'intranet.': ['192.168.1.1'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
};
const asLookup = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });
const resolve: Resolve = async (name) => {
  const addresses = answersOf[name];
  if (addresses === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
  return addresses.map(asLookup);
};

const guard = addressGuard({ allowedNetworks: [], resolve });
const sender = aSender({ guard });
afterAll(() => sender.close());

const uuid = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';

/** Checks first the format of an address, then the address itself with the guard, as the subscribe operation does. */
async function isRefused(address: string): Promise<boolean> {
  try {
    return await guard.isBlocked(new URL(normaliseAddress('http', address)));
  } catch (error) {
    if (error instanceof ClientError) return true;
    throw error;
  }
}

// Node.js converts each of these notations to a special address when it parses the URL.
const notations = [
  'http://127.1/ http://2130706433/ http://0x7f.0x0.0x0.0x1/ http://127.0.0.1./ http://１２７.０.０.１/',
  'http:\\\\127.0.0.1\\ http://[0:0:0:0:0:0:0:1]/ http://[::]/ http://0/',
].flatMap((row) => row.split(' '));

// The list contains at least one address from each block in the registries of special addresses.
const blocks = [
  '0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.1 100.127.255.255 127.255.255.254 169.254.169.254 172.16.0.1',
  '172.31.255.255 192.0.0.1 192.0.0.170 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.175.48.1',
  '198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255',
  '[::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:93.184.216.34] [::127.0.0.1] [::ffff:0:127.0.0.1] [64:ff9b::7f00:1]',
  '[64:ff9b::5db8:d822] [64:ff9b:1::a00:1] [100::1] [2001::1] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [2001:2::1]',
  '[2001:10::1] [2001:20::1] [2001:db8::1] [2002:7f00:1::] [2002:c0a8:101::1] [2620:4f:8000::1] [3fff::1] [4000::1]',
  '[5f00::1] [fc00::1] [fd12:3456:789a::1] [fd00:ec2::254] [fe80::1] [febf::1] [fec0::1] [ff02::1]',
].flatMap((row) => row.split(' ').map((host) => `http://${host}/`));

const names = Object.keys(answersOf)
  .filter((name) => name !== 'public.example' && name !== 'six.example')
  .map((name) => `https://${name}/hook`);

const publicOnes = [
  'http://1.1.1.1/ https://8.8.8.8/dns-query http://9.255.255.255/ http://11.0.0.0/ http://100.63.255.255/',
  'http://100.128.0.0/ http://126.255.255.255/ http://128.0.0.1/ http://169.253.255.255/ http://169.255.0.1/',
  'http://172.15.255.255/ http://172.32.0.1/ http://192.0.1.1/ http://192.167.255.255/ http://192.169.0.1/',
  'http://198.17.255.255/ http://198.20.0.1/ http://223.255.255.254/ http://0x5db8d822/ http://[2001:200::1]/',
  'http://[2001:4860:4860::8888]/ http://[2606:4700::6810:84e5]:8443/ http://[2a00:1450:4001:82f::200e]/',
  'http://[3ffe::1]/ https://public.example/hook https://six.example/hook',
].flatMap((row) => row.split(' '));

describe('a non-public address', () => {
  it.each([...notations, ...blocks, ...names])(
    'the subscribe operation rejects a non-public address: %s',
    async (address) => {
      expect(await isRefused(address)).toBe(true);
    },
  );

  it.each([...notations, ...blocks, ...names])('a delivery to a non-public address is blocked: %s', async (address) => {
    expect(await sender.deliver(aMessage(), { uuid, address })).toEqual({ class: 'blocked' });
  });
});

describe('a public address', () => {
  it.each(publicOnes)('a public address is accepted: %s', async (address) => {
    expect(await isRefused(address)).toBe(false);
  });

  it('the subscribe operation accepts a host name that does not resolve, because the address is checked again at every connection', async () => {
    expect(await isRefused('https://not-yet.example/')).toBe(false);
  });
});

describe('a deployment with allowed networks', () => {
  const allowing = (...texts: string[]) => addressGuard({ allowedNetworks: networks(...texts), resolve });
  const url = (host: string) => new URL(`http://${host}/`);

  it('a deployment connects to its allowed networks but to no other private network', async () => {
    const ours = allowing('10.20.0.0/16', 'fd12:3456::/32');
    const blocked = ['10.20.0.1', '10.21.0.1', '[fd12:3456::1]', '[fd12:3457::1]', '127.0.0.1', '1.1.1.1'].map((host) =>
      ours.isBlockedLiteral(url(host)),
    );
    expect(blocked).toEqual([false, true, false, true, true, false]);
    expect(await ours.isBlocked(url('private-six.example'))).toBe(false);
    expect(await ours.isBlocked(url('private-first.example'))).toBe(true);
  });

  const never =
    '169.254.169.254 [fe80::1] [fd00:ec2::254] 0.0.0.0 [::] [::ffff:10.0.0.1] [64:ff9b::a00:1] [2002:a00:1::]';
  it.each(never.split(' '))('a deployment never connects to %s, even within an allowed network', (host) => {
    const ours = allowing('128.0.0.0/1', '1.0.0.0/1', '8000::/1', '::1/1');
    expect(ours.isBlockedLiteral(url(host))).toBe(true);
  });

  it('the guard recognises hosts in allowed networks by their addresses, but ignores loopback and public addresses', async () => {
    const ours = allowing('10.20.0.0/16', 'fd12:3456::/32', '127.0.0.0/8');
    const isInternal = (host: string) => ours.isInternal(url(host));
    expect(['10.20.0.1', '[fd12:3456::1]', '127.0.0.1', '1.1.1.1'].map(isInternal)).toEqual([true, true, false, false]);
    expect(isInternal('private-six.example')).toBe(false);
    for (const host of ['private-six.example', 'public.example'])
      await new Promise((done) => ours.lookup(host, { all: true }, done));
    expect(['private-six.example', 'public.example'].map(isInternal)).toEqual([true, false]);
  });

  it('the guard remembers the 10,000 most recently used hosts in the allowed networks', async () => {
    const inside: Resolve = async () => [{ address: '10.20.0.1', family: 4 }];
    const ours = addressGuard({ allowedNetworks: networks('10.20.0.0/16'), resolve: inside });
    const isInternal = (index: number) => ours.isInternal(url(`h${index}.example`));
    for (let index = 0; index <= 10_000; index++) {
      await ours.isBlocked(url(`h${index}.example`));
      if (index === 9999) expect(isInternal(0)).toBe(true);
    }
    expect([0, 1, 2].map(isInternal)).toEqual([true, false, true]);
  });

  it("looks up one address or all addresses, depending on the socket's request", async () => {
    const { lookup } = allowing();
    const addresses = await Promise.all(
      [{ all: true }, {}].map(
        (options) => new Promise((done) => lookup('public.example', options, (...result) => done(result))),
      ),
    );
    expect(addresses).toEqual([
      [null, (answersOf['public.example'] ?? []).map(asLookup)],
      [null, '93.184.216.34', 4],
    ]);
  });
});
