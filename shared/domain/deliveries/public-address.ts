import { isIP } from 'node:net';
import { isNeverAllowed, memberOf, type Network, networks } from '../network.ts';

// The whole IANA IPv4 Special-Purpose Address Registry (RFC 6890), multicast (RFC 5771), and the reserved 240/4 (RFC
// 1112 section 4) with broadcast.
const special4 = networks(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
);

// The entries of the IANA IPv6 Special-Purpose Address Registry inside 2000::/3: protocol assignments, documentation,
// 6to4, AS112.
const special6 = networks('2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20');

const isSpecial = memberOf([...special4, ...special6]);

// Global unicast (RFC 4291 section 2.4). All other IPv6 blocks are special: loopback, IPv4-mapped, NAT64, discard-only,
// unique local, link-local, site-local, multicast.
const isGlobal6 = memberOf(networks('2000::/3'));

const isAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%');

/** Whether a text is a public unicast IP address without a zone. */
const isPublicAddress = (ip: string): boolean => isAddress(ip) && (isIP(ip) === 4 || isGlobal6(ip)) && !isSpecial(ip);

/** Creates a rule that accepts public addresses and the allowed networks. */
export function addressRule(allowedNetworks: readonly Network[]): (ip: string) => boolean {
  const isNamed = memberOf(allowedNetworks);
  return (ip) => isPublicAddress(ip) || (isAddress(ip) && isNamed(ip) && !isNeverAllowed(ip));
}
