import { channelOf } from '../deliveries/channels.ts';
import { keyedHash } from '../name-uuid.ts';
import { namingKey } from '../naming-key.ts';
import { readClaim, signClaim } from './signed-claim.ts';

/**
 * What stands for a mailbox whose owner never wants to be asked again, whatever its tags and case: a hash under the key of
 * `limits`, which nobody without it can look an address up by.
 */
export function declinedId(limitsKey: Uint8Array, address: string): string {
  const target = channelOf('email').targetOf(address);
  return keyedHash(limitsKey, 'declined', 'mailbox' in target ? target.mailbox : target.host);
}

/**
 * The token of the link by which the owner of a mailbox says so, from the secret `naming`. It names the mailbox by its hash alone,
 * and has no end: the mail may be old.
 */
export const neverAskToken = (naming: string, address: string): string =>
  signClaim(declinedId(namingKey(naming, 'limits'), address), namingKey(naming, 'never-ask links'));

/** The hash of the mailbox in such a token; undefined when it is none of ours. */
export function readNeverAskToken(token: string, key: Uint8Array): string | undefined {
  const id = readClaim(token, [key]);
  return id !== undefined && /^[\w-]{43}$/.test(id) ? id : undefined;
}
