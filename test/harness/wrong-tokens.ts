import { createHmac, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import type { Claims } from './signer.ts';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const partsOf = (token: string) => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  return { header, payload, signature };
};

/** The good token with another first character of its signature. */
export function withBadSignature(token: string): string {
  const { header, payload, signature } = partsOf(token);
  return `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
}

/** The claims of the good token under an algorithm that asks for no signature. */
export const withoutSignature = (token: string): string =>
  `${encode({ alg: 'none', typ: 'JWT' })}.${partsOf(token).payload}.`;

/** The claims of the good token, signed by a key of ours under the issuer's key id. */
export function withForeignKey(token: string): string {
  const { header, payload } = partsOf(token);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signature = signBytes('sha256', Buffer.from(`${header}.${payload}`), privateKey);
  return `${header}.${payload}.${signature.toString('base64url')}`;
}

/** The claims of the good token, signed with the issuer's public key as if it were a shared secret. */
export async function withPublicKeyAsSecret(token: string, jwksUrl: string): Promise<string> {
  const { header, payload } = partsOf(token);
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
  const keys = await (await fetch(jwksUrl)).text();
  const signed = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${payload}`;
  return `${signed}.${createHmac('sha256', keys).update(signed).digest('base64url')}`;
}

const minute = 60;

/** Claims that make a well-signed token no good here; null leaves one out. */
export const wrongClaims = (now: number): readonly (readonly [name: string, claims: Claims])[] => {
  const seconds = Math.floor(now / 1000);
  return [
    ['that has expired', { iat: seconds - 10 * minute, nbf: seconds - 10 * minute, exp: seconds - minute }],
    ['that never expires', { exp: null }],
    ['that is not valid yet', { nbf: seconds + 10 * minute }],
    ['for another audience', { aud: 'another-api', client_id: 'identity-registry' }],
    ['for no audience', { aud: null }],
    ['of another issuer', { iss: 'https://issuer.example.net' }],
    ['of no issuer', { iss: null }],
  ];
};
