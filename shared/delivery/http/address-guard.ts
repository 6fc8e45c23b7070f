import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isNeverAllowed, memberOf, type Network, networks } from '../../domain/network.ts';

// The complete IANA IPv4 Special-Purpose Address Registry (RFC 6890), multicast (RFC 5771), and the reserved block
// 240/4 (RFC 1112 section 4), which includes broadcast.
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

// The global unicast block (RFC 4291 section 2.4). All other IPv6 blocks are special: loopback, IPv4-mapped, NAT64,
// discard-only, unique local, link-local, site-local, multicast.
const isGlobal6 = memberOf(networks('2000::/3'));

const isAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%');

/** Returns whether a string is a public unicast IP address without a zone. */
const isPublicAddress = (ip: string): boolean => isAddress(ip) && (isIP(ip) === 4 || isGlobal6(ip)) && !isSpecial(ip);

// Only the local stack allows loopback.
const isLoopback = memberOf(networks('127.0.0.0/8', '::1/128'));

const isInternalAddress = (ip: string): boolean => !isPublicAddress(ip) && !isLoopback(ip);

/** The error code for a connection to a blocked address. */
export const blockedCode = 'ERR_ADDRESS_BLOCKED';

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

interface AddressGuardOptions {
  readonly allowedNetworks: readonly Network[];
  readonly resolve?: Resolve;
}

const earlyLookupMs = 3000;

// The maximum number of remembered hosts must exceed the number of open connections, because hosts with open
// connections are not looked up again.
const rememberedHosts = 10_000;

/** A set that keeps the most recently used hosts. */
function hostMemory() {
  const hosts = new Set<string>();
  function add(host: string): void {
    hosts.delete(host);
    hosts.add(host);
    const [oldest] = hosts;
    if (hosts.size > rememberedHosts && oldest !== undefined) hosts.delete(oldest);
  }
  return {
    add,
    has(host: string): boolean {
      const isRemembered = hosts.has(host);
      if (isRemembered) add(host);
      return isRemembered;
    },
  };
}

// The WHATWG URL parser normalises every notation of an address, and puts IPv6 addresses in brackets.
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/**
 * Protects outgoing connections against server-side request forgery. Blocks a host name if any of its addresses is
 * blocked, because the socket may use any of the addresses. The socket gets the checked addresses, so later DNS changes
 * have no effect.
 */
export function addressGuard({
  allowedNetworks,
  resolve = (hostname) => systemLookup(hostname, { all: true }),
}: AddressGuardOptions) {
  const isNamed = memberOf(allowedNetworks);
  const internalHosts = hostMemory();

  /** Returns whether an IP address is public or in an allowed network. */
  const isAllowed = (ip: string): boolean =>
    isPublicAddress(ip) || (isAddress(ip) && isNamed(ip) && !isNeverAllowed(ip));

  async function resolveChecked(hostname: string): Promise<LookupAddress[]> {
    const answers = await resolve(hostname);
    if (answers.length === 0) throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' });
    if (answers.some(({ address }) => !isAllowed(address)))
      throw Object.assign(new Error('an address is not allowed'), { code: blockedCode });
    if (answers.some(({ address }) => isInternalAddress(address))) internalHosts.add(hostname);
    return [...answers];
  }

  /** Returns whether a URL's host is a blocked IP address in any notation. Sockets look up only names. */
  const isBlockedLiteral = (url: URL): boolean => isIP(hostOf(url)) !== 0 && !isAllowed(hostOf(url));

  /** Returns false if a name does not resolve within 3 seconds, because the check is repeated for each connection. */
  async function isBlocked(url: URL): Promise<boolean> {
    if (isIP(hostOf(url)) !== 0) return isBlockedLiteral(url);
    const late = Promise.withResolvers<false>();
    const timer = setTimeout(late.resolve, earlyLookupMs, false);
    const looking = resolveChecked(hostOf(url)).then(
      () => false,
      ({ code }: NodeJS.ErrnoException) => code === blockedCode,
    );
    return Promise.race([looking, late.promise]).finally(() => clearTimeout(timer));
  }

  return {
    isBlockedLiteral,
    /**
     * Returns whether a URL's host is, or has resolved to, a private address in `allowedNetworks`. Excludes loopback
     * addresses.
     */
    isInternal: (url: URL): boolean =>
      internalHosts.has(hostOf(url)) || (isIP(hostOf(url)) !== 0 && isInternalAddress(hostOf(url))),
    isBlocked,
    /** The `lookup` function for sockets. Resolves a name once, and returns its addresses if all of them are allowed. */
    lookup(hostname: string, options: LookupOptions, callback: Parameters<LookupFunction>[2]): void {
      resolveChecked(hostname).then(
        (answers) => {
          if (options.all) callback(null, answers);
          else callback(null, answers[0]?.address ?? '', answers[0]?.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, ''),
      );
    },
  };
}
