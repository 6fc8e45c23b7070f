import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a link says and, behind a dot, its HMAC-SHA-256 under a key: safe in a URL, and nobody else can make it. */
export const signClaim = (claim: string, key: Uint8Array): string =>
  `${claim}.${signatureOf(claim, key).toString('base64url')}`;

const signatureOf = (claim: string, key: Uint8Array): Buffer => createHmac('sha256', key).update(claim).digest();

/** What a signed link says; undefined when none of the keys has signed it. Compared in constant time. */
export function readClaim(token: string, keys: readonly Uint8Array[]): string | undefined {
  const [, claim = '', signature = ''] = /^([\w.-]+)\.([\w-]{43})$/.exec(token) ?? [];
  const given = Buffer.from(signature, 'base64url');
  // Base64 has several spellings of the same bytes: only the one that we write counts.
  if (given.length !== 32 || given.toString('base64url') !== signature) return undefined;
  return keys.some((key) => timingSafeEqual(signatureOf(claim, key), given)) ? claim : undefined;
}
