import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isNeverAllowed, memberOf, type Network, networks } from '../../domain/network.ts';

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

/** Thrown, and passed to the socket, instead of connecting to a blocked address. */
class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
  readonly code = 'ERR_ADDRESS_BLOCKED';
}

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

const resolveBySystem: Resolve = (hostname) => systemLookup(hostname, { all: true });

export interface AddressGuardOptions {
  readonly allowedNetworks: readonly Network[];
  readonly resolve?: Resolve;
}

export interface AddressGuard {
  /** Checks whether the URL's host is a blocked IP address, in any notation. Such a host is never resolved. */
  isBlockedLiteral(url: URL): boolean;
  /** A name that does not resolve within 3 seconds passes, because the connection is checked again. */
  isBlocked(url: URL): Promise<boolean>;
  /** The `lookup` of a socket: resolves once, checks every address, and passes on only the checked addresses. */
  readonly lookup: LookupFunction;
}

const earlyLookupMs = 3000;

// WHATWG URLs normalise every notation of an address, and put IPv6 addresses in brackets.
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/**
 * Guards outgoing connections against server-side request forgery. A name is blocked if any of its addresses is,
 * because the socket may use any of them. The socket gets the checked addresses, so a later DNS change has no effect.
 */
export function addressGuard({ allowedNetworks, resolve = resolveBySystem }: AddressGuardOptions): AddressGuard {
  const isAllowed = addressRule(allowedNetworks);

  async function resolveChecked(hostname: string): Promise<LookupAddress[]> {
    const answers = await resolve(hostname);
    if (answers.length === 0) throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' });
    if (answers.some(({ address }) => !isAllowed(address))) throw new BlockedAddress('an address is not allowed');
    return [...answers];
  }

  const isBlockedLiteral = (url: URL): boolean => isIP(hostOf(url)) !== 0 && !isAllowed(hostOf(url));

  return {
    isBlockedLiteral,
    async isBlocked(url) {
      if (isIP(hostOf(url)) !== 0) return isBlockedLiteral(url);
      const late = Promise.withResolvers<false>();
      const timer = setTimeout(late.resolve, earlyLookupMs, false);
      const looking = resolveChecked(hostOf(url)).then(
        () => false,
        (error: unknown) => error instanceof BlockedAddress,
      );
      return Promise.race([looking, late.promise]).finally(() => clearTimeout(timer));
    },
    lookup(hostname, options, callback) {
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
