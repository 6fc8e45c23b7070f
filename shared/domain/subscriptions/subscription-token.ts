import { createHash } from 'node:crypto';
import { dayMs } from '../day-ms.ts';
import { compactUuid, expandUuid } from '../uuid-text.ts';

/** How long a confirmation token is valid. */
export const tokenLifetimeDays = 3;
export const tokenLifetimeMs = tokenLifetimeDays * dayMs;

/** What the store keeps in place of the token: its SHA-256, hex. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * A confirmation token: the subscription's uuid and 256 random bits, both base64url, so that confirming is one access by
 * key and nobody can guess it.
 */
export const composeToken = (subscriptionUuid: string, secret: Uint8Array): string =>
  `${compactUuid(subscriptionUuid)}.${Buffer.from(secret).toString('base64url')}`;

/** The subscription's uuid in a token, or undefined when the text has not the shape of a token. */
export function subscriptionOfToken(token: string): string | undefined {
  const match = /^([\w-]{22})\.[\w-]{43}$/.exec(token);
  return match?.[1] === undefined ? undefined : expandUuid(match[1]);
}
