import { hkdfSync } from 'node:crypto';
import { compactUuid, expandUuid } from '../uuid-text.ts';
import { readClaim, signClaim } from './signed-claim.ts';

/** What an unsubscribe link is for: a subscription, in one generation of its topic. */
interface Unsubscribing {
  readonly uuid: string;
  readonly generation: string;
}

/** The key of unsubscribe links (RFC 5869), derived from a version of the secret that also serves other purposes. */
export const unsubscribeKey = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'unsubscribe link', 32));

/**
 * The token of an unsubscribe link, safe in a URL: `<subscription>.<generation>.<HMAC-SHA-256>`. It says itself what it is
 * for, so that it is understood also when the subscription is gone: a link used twice succeeds, an altered one does not.
 *
 * It does not expire, because mails are kept for years and whoever wants to leave must be able to. It ends when the
 * secret was rotated twice: the current and the previous version are accepted.
 */
export const composeUnsubscribeToken = ({ uuid, generation }: Unsubscribing, key: Uint8Array): string =>
  signClaim(`${compactUuid(uuid)}.${compactUuid(generation)}`, key);

/** What a token is for; undefined when none of the keys has signed it. */
export function readUnsubscribeToken(token: string, keys: readonly Uint8Array[]): Unsubscribing | undefined {
  const [, uuid, generation] = /^([\w-]{22})\.([\w-]{22})$/.exec(readClaim(token, keys) ?? '') ?? [];
  if (uuid === undefined || generation === undefined) return undefined;
  return { uuid: expandUuid(uuid), generation: expandUuid(generation) };
}
