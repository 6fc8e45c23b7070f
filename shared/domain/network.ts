import { BlockList, isIP } from 'node:net';

/** A block of IP addresses in CIDR notation (RFC 4632 section 3.1, RFC 4291 section 2.3). */
export interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Parses a network such as `10.0.0.0/8`: an address, a slash and a prefix length. Returns undefined for other text. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const version = isIP(address);
  // An address with a zone (`%eth0`) is invalid, because a zone names a network interface of one machine.
  if (version === 0 || address.includes('%') || rest.length > 0 || !/^\d{1,3}$/.test(prefix)) return undefined;
  if (Number(prefix) > (version === 4 ? 32 : 128)) return undefined;
  return { address, prefix: Number(prefix), family: version === 4 ? 'ipv4' : 'ipv6' };
}

/**
 * Parses networks from our source code without validating them; `memberOf` throws for an invalid network. For
 * validation, Node.js would compile its regular expression for IPv6, which takes longer than loading the rest of our
 * code.
 */
export const networks = (...texts: readonly string[]): Network[] =>
  texts.map((text) => {
    const [address = '', prefix = 'none'] = text.split('/');
    return { address, prefix: Number(prefix || 'none'), family: address.includes(':') ? 'ipv6' : 'ipv4' };
  });

/**
 * Returns a function that checks whether a string is an IP address in one of the networks.
 * @throws if a network is invalid
 */
export function memberOf(members: readonly Network[]): (ip: string) => boolean {
  // IPv4 and IPv6 have separate lists, because a shared list would apply IPv4-mapped networks to IPv4 addresses.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const { address, prefix, family } of members) lists[family].addSubnet(address, prefix, family);
  return (ip) => {
    const version = isIP(ip);
    if (version === 0) return false;
    return version === 4 ? lists.ipv4.check(ip, 'ipv4') : lists.ipv6.check(ip, 'ipv6');
  };
}

let neverAllowed: ReturnType<typeof memberOf> | undefined;

/**
 * Returns whether an address is forbidden in every deployment. Link-local addresses (cloud metadata services; EC2 also
 * uses fd00:ec2::/32) and unspecified addresses (the machine itself) are forbidden. Addresses that contain an IPv4
 * address are also forbidden (IPv4-mapped, translated, NAT64, Teredo, 6to4).
 */
export const isNeverAllowed = (ip: string): boolean => {
  // The list is created on first use, because few functions need the list, and creating it takes longer than loading
  // our code.
  neverAllowed ??= memberOf(
    networks(
      ...['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::/32', '0.0.0.0/8', '::/128'],
      ...['::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2001::/32', '2002::/16'],
    ),
  );
  return neverAllowed(ip);
};
