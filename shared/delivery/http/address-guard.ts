import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { addressRule } from '../../domain/deliveries/public-address.ts';
import type { Network } from '../../domain/network.ts';

/** Thrown, and handed to the socket, in place of a connection to an address that is not allowed. */
class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
  readonly code = 'ERR_ADDRESS_BLOCKED';
}

/** Every address of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

const resolveBySystem: Resolve = (hostname) => systemLookup(hostname, { all: true });

export interface AddressGuardOptions {
  /** Beside public unicast addresses. */
  readonly allowedNetworks: readonly Network[];
  readonly resolve?: Resolve;
}

export interface AddressGuard {
  /** Whether the URL's host is an IP address, in whatever notation, that is not allowed. Such a host is never looked up. */
  isBlockedLiteral(url: URL): boolean;
  /**
   * Whether the URL's host is not allowed, or a name with an answer that is not; for an early refusal. A name that does
   * not resolve, or not within some seconds, may do so later: the connection is what counts.
   */
  isBlocked(url: URL): Promise<boolean>;
  /** The `lookup` of a socket: resolves once, checks every answer, and gives the socket just what was checked. */
  readonly lookup: LookupFunction;
}

const earlyLookupMs = 3000;

// WHATWG URLs bring every notation of an address into one; an IPv6 address stands in brackets.
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/**
 * Guards outgoing connections against addresses that only we can reach (server-side request forgery). A name is refused
 * if any of its answers is, because who connects may take any of them; and as the socket gets the checked addresses
 * themselves, a name that answers differently a moment later changes nothing.
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
