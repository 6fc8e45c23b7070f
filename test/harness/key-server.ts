import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { listenLocally, stopServer } from './local-server.ts';

/** A signing key of an issuer, with its key ID. */
export interface IssuerKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly published: object;
}

export function anIssuerKey(kid: string): IssuerKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { kid, privateKey, published: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' } };
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns a token with the given claims, signed with the given key. `header` extends the JOSE header. */
export function tokenBy({ kid, privateKey }: IssuerKey, claims: object, header: object = {}): string {
  const content = `${encode({ alg: 'EdDSA', typ: 'JWT', kid, ...header })}.${encode(claims)}`;
  return `${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}`;
}

/** The response of the key server: keys, or any status and text. */
type KeyServerResponse = readonly IssuerKey[] | { readonly status: number; readonly text: string };

/** Starts the JWKS endpoint of an issuer and counts the requests to it. */
export async function startKeyServer(first: KeyServerResponse) {
  let current = first;
  let readCount = 0;
  const server = createServer((_request, response) => {
    readCount++;
    if ('status' in current) response.writeHead(current.status).end(current.text);
    else response.end(JSON.stringify({ keys: current.map(({ published }) => published) }));
  });
  const url = await listenLocally(server);
  return {
    url: `${url}/jwks`,
    readCount: () => readCount,
    setResponse(next: KeyServerResponse): void {
      current = next;
    },
    stop: () => stopServer(server),
  };
}
