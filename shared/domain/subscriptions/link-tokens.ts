import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { channelOf } from '../deliveries/channels.ts';
import { keyedHash } from '../name-uuid.ts';
import { namingKey } from '../naming-key.ts';
import { compactUuid, expandUuid } from '../uuid-text.ts';

/** Returns the keyed hash of a mailbox that declines requests, ignoring its tags and case. */
export function declinedId(limitsKey: Uint8Array, address: string): string {
  const target = channelOf('email').targetOf(address);
  return keyedHash(limitsKey, 'declined', 'mailbox' in target ? target.mailbox : target.host);
}

/** Creates the token that stops requests to a mailbox. It does not expire, because the email may be old. */
export const stopRequestsToken = (naming: string, address: string): string =>
  signClaim(declinedId(namingKey(naming, 'limits'), address), namingKey(naming, 'stop-requests links'));

/** Returns the mailbox's hash, or undefined if the token is not valid. */
export function readStopRequestsToken(token: string, key: Uint8Array): string | undefined {
  const id = readClaim(token, [key]);
  return id !== undefined && /^[\w-]{43}$/.test(id) ? id : undefined;
}

interface UnsubscribeClaim {
  readonly uuid: string;
  readonly generation: string;
}

/** Derives the key for unsubscribe links (RFC 5869) from a secret that is also used for other purposes. */
export const unsubscribeKey = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'unsubscribe link', 32));

/**
 * Creates the token of an unsubscribe link: `<subscription>.<generation>.<HMAC-SHA-256>`. It can be checked after the
 * subscription is deleted, and does not expire, because recipients keep emails for years. It becomes invalid after two
 * rotations of the secret.
 */
export const composeUnsubscribeToken = ({ uuid, generation }: UnsubscribeClaim, key: Uint8Array): string =>
  signClaim(`${compactUuid(uuid)}.${compactUuid(generation)}`, key);

/** Returns the content of a token, or undefined if it is not valid. */
export function readUnsubscribeToken(token: string, keys: readonly Uint8Array[]): UnsubscribeClaim | undefined {
  const [, uuid, generation] = /^([\w-]{22})\.([\w-]{22})$/.exec(readClaim(token, keys) ?? '') ?? [];
  if (uuid === undefined || generation === undefined) return undefined;
  return { uuid: expandUuid(uuid), generation: expandUuid(generation) };
}

/** Returns the claim and its HMAC-SHA-256, separated by a dot. Safe in a URL. */
const signClaim = (claim: string, key: Uint8Array): string =>
  `${claim}.${signatureOf(claim, key).toString('base64url')}`;

const signatureOf = (claim: string, key: Uint8Array): Buffer => createHmac('sha256', key).update(claim).digest();

/** Returns the signed claim, or undefined if none of the keys signed it. Compares in constant time. */
function readClaim(token: string, keys: readonly Uint8Array[]): string | undefined {
  const [, claim = '', signature = ''] = /^([\w.-]+)\.([\w-]{43})$/.exec(token) ?? [];
  const given = Buffer.from(signature, 'base64url');
  // Several base64 texts decode to the same bytes. Accept only the text that `signClaim` creates.
  if (given.length !== 32 || given.toString('base64url') !== signature) return undefined;
  return keys.some((key) => timingSafeEqual(signatureOf(claim, key), given)) ? claim : undefined;
}
