import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { keyedHash } from '../name-uuid.ts';
import { namingKey } from '../naming-key.ts';
import { compactUuid, expandUuid } from '../uuid-text.ts';
import { foldMailbox } from './mailbox-address.ts';

/**
 * Returns the keyed hash of a mailbox that declines confirmation requests. Addresses that differ only in tags or case
 * have the same hash.
 */
export const declinedId = (limitsKey: KeyObject, address: string): string =>
  keyedHash(limitsKey, 'declined', foldMailbox(address));

/**
 * Creates the token for the link that stops confirmation requests to a mailbox. The token does not expire, because
 * recipients may use links in old emails.
 */
export const stopRequestsToken = (naming: string, address: string): string =>
  signClaim(declinedId(namingKey(naming, 'limits'), address), namingKey(naming, 'stop-requests links'));

/** Returns the mailbox hash in a token, or undefined if the token is not valid. */
export function readStopRequestsToken(token: string, key: KeyObject): string | undefined {
  const id = readClaim(token, [key]);
  return id !== undefined && /^[\w-]{43}$/.test(id) ? id : undefined;
}

interface UnsubscribeClaim {
  readonly uuid: string;
  readonly generation: string;
}

/** Derives the key for unsubscribe links (RFC 5869) from a secret that is also used for other purposes. */
export const unsubscribeKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'unsubscribe link', 32)));

/**
 * Creates the token of an unsubscribe link: `<subscription>.<generation>.<HMAC-SHA-256>`. The token does not expire and
 * can be checked after the subscription is deleted, because recipients keep emails for years. The token becomes invalid
 * when the secret has been rotated twice.
 */
export const composeUnsubscribeToken = ({ uuid, generation }: UnsubscribeClaim, key: KeyObject): string =>
  signClaim(`${compactUuid(uuid)}.${compactUuid(generation)}`, key);

/** Returns the content of an unsubscribe token, or undefined if the token is not valid. */
export function readUnsubscribeToken(token: string, keys: readonly KeyObject[]): UnsubscribeClaim | undefined {
  const [, uuid, generation] = /^([\w-]{22})\.([\w-]{22})$/.exec(readClaim(token, keys) ?? '') ?? [];
  if (uuid === undefined || generation === undefined) return undefined;
  return { uuid: expandUuid(uuid), generation: expandUuid(generation) };
}

/** Returns a URL-safe token: the claim, a dot and the claim's HMAC-SHA-256. */
const signClaim = (claim: string, key: KeyObject): string =>
  `${claim}.${signatureOf(claim, key).toString('base64url')}`;

const signatureOf = (claim: string, key: KeyObject): Buffer => createHmac('sha256', key).update(claim).digest();

/** Returns the claim in a token, or undefined if none of the keys signed the claim. Compares in constant time. */
function readClaim(token: string, keys: readonly KeyObject[]): string | undefined {
  const [, claim = '', signature = ''] = /^([\w.-]+)\.([\w-]{43})$/.exec(token) ?? [];
  const given = Buffer.from(signature, 'base64url');
  // Different base64url strings can decode to the same bytes, so accept only the string that `signClaim` creates.
  if (given.length !== 32 || given.toString('base64url') !== signature) return undefined;
  return keys.some((key) => timingSafeEqual(signatureOf(claim, key), given)) ? claim : undefined;
}
