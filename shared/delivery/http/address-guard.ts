import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { addressRule } from '../../domain/deliveries/public-address.ts';
import type { Network } from '../../domain/network.ts';

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
