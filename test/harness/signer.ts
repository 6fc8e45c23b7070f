import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listenLocally, stopServer } from './local-server.ts';

export type Claims = Readonly<Record<string, unknown>>;

/**
 * Starts an issuer endpoint that tests in other processes can use. A POST request with claims returns a signed token.
 * Claims whose value is null are omitted.
 */
export async function startSigner(issueToken: (claims: Record<string, unknown>) => Promise<string>) {
  const server = createServer(async (request, response) => {
    const claims = Object.entries((await json(request)) as Claims);
    const wanted = claims.map(([name, value]) => [name, value ?? undefined]);
    response.end(await issueToken(Object.fromEntries(wanted)));
  });
  return { url: await listenLocally(server), stop: () => stopServer(server) };
}

/** Requests a token from the endpoint of `startSigner`. The given claims extend or replace the default claims. */
export async function sign(signUrl: string, claims: Claims): Promise<string> {
  const response = await fetch(signUrl, { method: 'POST', body: JSON.stringify(claims) });
  return response.text();
}
