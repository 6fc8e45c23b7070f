import { createHash } from 'node:crypto';
import { dayMs } from '../time.ts';
import { compactUuid, expandUuid } from '../uuid-text.ts';

export const tokenLifetimeDays = 3;
export const tokenLifetimeMs = tokenLifetimeDays * dayMs;

/** Returns the SHA-256 hash (hex) of a token. The hash is stored in place of the token. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Returns a confirmation token: the subscription's uuid and 256 random bits, in base64url. */
export const composeToken = (subscriptionUuid: string, secret: Uint8Array): string =>
  `${compactUuid(subscriptionUuid)}.${Buffer.from(secret).toString('base64url')}`;

/** Returns the subscription uuid that a token contains, or undefined if the token is malformed. */
export function subscriptionOfToken(token: string): string | undefined {
  const match = /^([\w-]{22})\.[\w-]{43}$/.exec(token);
  return match?.[1] === undefined ? undefined : expandUuid(match[1]);
}
