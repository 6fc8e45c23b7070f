import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { compactUuid, expandUuid } from '../compact-uuid.ts';

/** What an unsubscribe link is for: a subscription, in one generation of its topic. */
interface Unsubscribing {
  readonly uuid: string;
  readonly generation: string;
}

/** The key of unsubscribe links (RFC 5869), derived from a version of the secret that also serves other purposes. */
export const unsubscribeKey = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'unsubscribe link', 32));

const signatureOf = (claim: string, key: Uint8Array): Buffer => createHmac('sha256', key).update(claim).digest();

/**
 * The token of an unsubscribe link, safe in a URL: `<subscription>.<generation>.<HMAC-SHA-256>`. It says itself what it is
 * for, so that it is understood also when the subscription is gone: a link used twice succeeds, an altered one does not.
 *
 * It does not expire, because mails are kept for years and whoever wants to leave must be able to. It ends when the
 * secret was rotated twice: the current and the previous version are accepted.
 */
export function composeUnsubscribeToken({ uuid, generation }: Unsubscribing, key: Uint8Array): string {
  const claim = `${compactUuid(uuid)}.${compactUuid(generation)}`;
  return `${claim}.${signatureOf(claim, key).toString('base64url')}`;
}

/** What a token is for; undefined when none of the keys has signed it. Compared in constant time. */
export function readUnsubscribeToken(token: string, keys: readonly Uint8Array[]): Unsubscribing | undefined {
  const [, claim = '', uuid = '', generation = '', signature = ''] =
    /^(([\w-]{22})\.([\w-]{22}))\.([\w-]{43})$/.exec(token) ?? [];
  const given = Buffer.from(signature, 'base64url');
  // Base64 has several spellings of the same bytes: only the one that we write counts.
  if (given.length !== 32 || given.toString('base64url') !== signature) return undefined;
  const isOurs = keys.some((key) => timingSafeEqual(signatureOf(claim, key), given));
  return isOurs ? { uuid: expandUuid(uuid), generation: expandUuid(generation) } : undefined;
}
