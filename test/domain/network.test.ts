import { describe, expect, it } from 'vitest';
import { memberOf, networks, parseNetwork } from '../../shared/domain/network.ts';

describe('a network', () => {
  it.each([
    ['10.0.0.0/8', { address: '10.0.0.0', prefix: 8, family: 'ipv4' }],
    ['203.0.113.7/32', { address: '203.0.113.7', prefix: 32, family: 'ipv4' }],
    ['0.0.0.0/0', { address: '0.0.0.0', prefix: 0, family: 'ipv4' }],
    ['fd00::/8', { address: 'fd00::', prefix: 8, family: 'ipv6' }],
    ['::1/128', { address: '::1', prefix: 128, family: 'ipv6' }],
  ])('is parsed from the text %s', (text, network) => {
    expect(parseNetwork(text)).toEqual(network);
  });

  const malformed = [
    '/ 10.0.0.0 10.0.0.0/ /8 10.0.0.0/33 10.0.0.0/-1 10.0.0.0/8.5 10.0.0.0/08x 10.0.0/8',
    '0x0a000000/8 fd00::/129 [fd00::]/8 example.org/8',
  ].flatMap((row) => row.split(' '));
  it.each(['', ...malformed])('parseNetwork returns undefined for %j, and `networks` rejects this text', (text) => {
    expect(parseNetwork(text)).toBeUndefined();
    expect(() => memberOf(networks(text))).toThrow();
  });

  it.each(['10.0.0.0/8/8', 'fe80::%eth0/10'])('parseNetwork returns undefined for %j', (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });

  it('a network contains only addresses of its own IP version', () => {
    const isMember = memberOf(networks('10.0.0.0/8', '::ffff:0:0/96'));
    const addresses = ['10.255.255.255', '11.0.0.0', '::ffff:11.0.0.0', '::fffe:0:0', 'example.org', ''];
    expect(addresses.map(isMember)).toEqual([true, false, true, false, false, false]);
  });
});
