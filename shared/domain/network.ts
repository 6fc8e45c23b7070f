import { BlockList, isIP } from 'node:net';

/** A block of addresses in CIDR notation (RFC 4632 section 3.1, RFC 4291 section 2.3). */
export interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** @returns undefined for anything but an address, a slash and a prefix length, such as `10.0.0.0/8` */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const version = isIP(address);
  // A zone (`%eth0`) names an interface of one machine.
  if (version === 0 || address.includes('%') || rest.length > 0 || !/^\d{1,3}$/.test(prefix)) return undefined;
  if (Number(prefix) > (version === 4 ? 32 : 128)) return undefined;
  return { address, prefix: Number(prefix), family: version === 4 ? 'ipv4' : 'ipv6' };
}

/**
 * The networks of a list that we wrote ourselves: `memberOf` throws for one that is none. To look at each as `parseNetwork`
 * does would have Node compile its expression for IPv6, which takes longer than all else that a function loads of ours.
 */
export const networks = (...texts: readonly string[]): Network[] =>
  texts.map((text) => {
    const [address = '', prefix = 'none'] = text.split('/');
    return { address, prefix: Number(prefix || 'none'), family: address.includes(':') ? 'ipv6' : 'ipv4' };
  });

/**
 * Makes the test whether an IP address lies in any of some networks; anything but an IP address does not.
 * @throws for what is no network
 */
export function memberOf(members: readonly Network[]): (ip: string) => boolean {
  // One list for each family: a list of both would match an IPv4 address against rules for IPv4-mapped ones.
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
 * Whether an address is one that no deployment can allow: link-local, where clouds keep their metadata (EC2's also in
 * fd00:ec2::/32); the unspecified address, which reaches the machine itself; and every form that carries an IPv4
 * address inside (IPv4-mapped, translated, NAT64, Teredo, 6to4).
 */
export const isNeverAllowed = (ip: string): boolean => {
  // Made when it is first needed: that takes longer than all else that a function loads of ours, and few need it.
  neverAllowed ??= memberOf(
    networks(
      ...['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::/32', '0.0.0.0/8', '::/128'],
      ...['::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2001::/32', '2002::/16'],
    ),
  );
  return neverAllowed(ip);
};
