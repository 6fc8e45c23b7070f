import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Events, OAuth2Issuer, OAuth2Service, type TokenRequestIncomingMessage } from 'oauth2-mock-server';
import { guard } from '../../guard.ts';
import { findFreePort } from './ports.ts';

export const audience = 'identity-registry';

export interface Issuer {
  url: string;
  tokenUrl: string;
  jwksUrl: string;
  /** Issues a token with the default claims and the given claims. Omits claims whose value is undefined. */
  issueToken(claims: Record<string, unknown>): Promise<string>;
  stop(): Promise<void>;
}

interface SavedIssuer {
  port: number;
  key: Record<string, unknown>;
}

function readSaved(dataDir: string | undefined): SavedIssuer | undefined {
  if (!dataDir) return undefined;
  try {
    return JSON.parse(readFileSync(join(dataDir, 'issuer.json'), 'utf8')) as SavedIssuer;
  } catch {
    return undefined;
  }
}

function clientOf(request: IncomingMessage, body: { client_id?: unknown }): string {
  const basic = request.headers.authorization?.match(/^Basic (.+)$/i)?.[1];
  const name = basic && Buffer.from(basic, 'base64').toString().split(':')[0];
  return name || String(body.client_id ?? 'local-client');
}

/** Starts an OpenID issuer that trusts every client and grants all requested scopes. */
export async function startIssuer(dataDir: string | undefined): Promise<Issuer> {
  const issuer = new OAuth2Issuer();
  const service = new OAuth2Service(issuer);
  const saved = readSaved(dataDir);
  const key = saved ? await issuer.keys.add(saved.key) : await issuer.keys.generate('RS256');
  // Reuses the saved port, because existing tokens would become invalid if the issuer's URL changed.
  const port = await findFreePort(saved?.port).catch(() => findFreePort());
  const server = guard(createServer(service.requestHandler)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${port}`;
  issuer.url = url;
  if (dataDir) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, 'issuer.json'), JSON.stringify({ port, key }), { mode: 0o600 });
  }

  service.on(Events.BeforeTokenSigning, (token, request: TokenRequestIncomingMessage) => {
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
      issuer.buildToken({
        scopesOrTransform: (_header, payload) => {
          Object.assign(payload, { aud: audience, client_id: 'local-client', sub: 'local-client' }, claims);
        },
      }),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
