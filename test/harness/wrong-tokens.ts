import { createHmac, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import type { Claims } from './signer.ts';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const partsOf = (token: string) => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  return { header, payload, signature };
};

/** Returns the token with the first character of its signature changed. */
export function withBadSignature(token: string): string {
  const { header, payload, signature } = partsOf(token);
  return `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
}

/** Returns a token with the valid token's claims and the algorithm `none`. */
export const withoutSignature = (token: string): string =>
  `${encode({ alg: 'none', typ: 'JWT' })}.${partsOf(token).payload}.`;

/** Returns a token with the valid token's claims, signed with another key under the issuer's key id. */
export function withForeignKey(token: string): string {
  const { header, payload } = partsOf(token);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signature = signBytes('sha256', Buffer.from(`${header}.${payload}`), privateKey);
  return `${header}.${payload}.${signature.toString('base64url')}`;
}

/** Returns a token with the valid token's claims, signed with the issuer's public key as a shared secret. */
export async function withPublicKeyAsSecret(token: string, jwksUrl: string): Promise<string> {
  const { header, payload } = partsOf(token);
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
  const keys = await (await fetch(jwksUrl)).text();
  const signed = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${payload}`;
  return `${signed}.${createHmac('sha256', keys).update(signed).digest('base64url')}`;
}

const minute = 60;

/** Claims that this service rejects even in a correctly signed token. Claims with the value null are omitted. */
export const wrongClaims = (now: number): readonly (readonly [name: string, claims: Claims])[] => {
  const seconds = Math.floor(now / 1000);
  return [
    ['that has expired', { iat: seconds - 10 * minute, nbf: seconds - 10 * minute, exp: seconds - minute }],
    ['that never expires', { exp: null }],
    ['that is not yet valid', { nbf: seconds + 10 * minute }],
    ['for another audience', { aud: 'another-api', client_id: 'identity-registry' }],
    ['without an audience', { aud: null }],
    ['from another issuer', { iss: 'https://issuer.example.net' }],
    ['without an issuer', { iss: null }],
  ];
};
