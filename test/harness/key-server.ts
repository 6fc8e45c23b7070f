import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A key of an issuer, under the name that it publishes. */
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

/** A token with these claims, signed by the key; the header may say more. */
export function tokenBy({ kid, privateKey }: IssuerKey, claims: object, header: object = {}): string {
  const content = `${encode({ alg: 'EdDSA', typ: 'JWT', kid, ...header })}.${encode(claims)}`;
  return `${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}`;
}

/** What the server does when it is asked: gives out keys, an answer of another kind, or nothing at all. */
type Giving = readonly IssuerKey[] | { readonly status: number; readonly text: string };

/** An issuer's door to its keys, which counts how often it is asked. */
export async function startKeyServer(first: Giving) {
  let giving = first;
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    if ('status' in giving) response.writeHead(giving.status).end(giving.text);
    else response.end(JSON.stringify({ keys: giving.map(({ published }) => published) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`,
    asked: () => asked,
    give(next: Giving): void {
      giving = next;
    },
    stop(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}
