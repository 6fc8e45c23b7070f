import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Events, OAuth2Server, type TokenRequestIncomingMessage } from 'oauth2-mock-server';
import { findFreePort } from './ports.ts';

export const audience = 'identity-registry';

export interface Issuer {
  url: string;
  tokenUrl: string;
  jwksUrl: string;
  /** Signs these claims over the usual ones; a claim given as undefined is left out. */
  issueToken(claims: Record<string, unknown>): Promise<string>;
  stop(): Promise<void>;
}

interface Kept {
  port: number;
  key: Record<string, unknown>;
}

function readKept(dataDir: string | undefined): Kept | undefined {
  if (!dataDir) return undefined;
  try {
    return JSON.parse(readFileSync(join(dataDir, 'issuer.json'), 'utf8')) as Kept;
  } catch {
    return undefined;
  }
}

function clientOf(request: IncomingMessage, body: { client_id?: unknown }): string {
  const basic = request.headers.authorization?.match(/^Basic (.+)$/i)?.[1];
  const name = basic && Buffer.from(basic, 'base64').toString().split(':')[0];
  return name || String(body.client_id ?? 'local-client');
}

/** An OpenID issuer that trusts every client and grants exactly the scopes that are asked for. */
export async function startIssuer(dataDir: string | undefined): Promise<Issuer> {
  const server = new OAuth2Server();
  const kept = readKept(dataDir);
  const key = kept ? await server.issuer.keys.add(kept.key) : await server.issuer.keys.generate('RS256');
  // The issuer's address is in every token: with kept data it stays the same, so that tokens stay valid.
  const port = await findFreePort(kept?.port).catch(() => findFreePort());
  await server.start(port, '127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  server.issuer.url = url;
  if (dataDir) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, 'issuer.json'), JSON.stringify({ port, key }), { mode: 0o600 });
  }

  server.service.on(Events.BeforeTokenSigning, (token, request: TokenRequestIncomingMessage) => {
    const client = clientOf(request, request.body);
    token.payload.aud ??= audience;
    token.payload.client_id = client;
    token.payload.sub ??= client;
  });

  return {
    url,
    tokenUrl: `${url}/token`,
    jwksUrl: `${url}/jwks`,
    issueToken: (claims) =>
      server.issuer.buildToken({
        scopesOrTransform: (_header, payload) => {
          Object.assign(payload, { aud: audience, client_id: 'local-client', sub: 'local-client' }, claims);
        },
      }),
    stop: () => server.stop(),
  };
}
