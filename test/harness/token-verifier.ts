import { afterEach } from 'vitest';
import { tokenVerifier } from '../../shared/access/verify-token.ts';
import { type IssuerKey, startKeyServer, tokenBy } from './key-server.ts';

export const issuer = 'https://issuer.example.org';

const stopping: (() => void)[] = [];
afterEach(() => {
  for (const stop of stopping.splice(0)) stop();
});

/** Creates a token verifier, its key server, and a clock that the test controls. */
export async function aVerifier(...keys: IssuerKey[]) {
  const server = await startKeyServer(keys);
  stopping.push(server.stop);
  const begun = Date.now();
  const state = { now: begun, faults: [] as unknown[] };
  const verify = tokenVerifier({
    oidcIssuer: issuer,
    oidcAudience: ['registry'],
    oidcJwksUri: server.url,
    now: () => state.now,
    onError: (fault) => void state.faults.push(fault),
  });
  const claims = { iss: issuer, aud: 'registry', sub: 'me', exp: Math.floor(begun / 1000) + 48 * 3600 };
  return {
    ...server,
    state,
    verify,
    claims,
    pass: (ms: number) => {
      state.now += ms;
    },
    /** Returns whether a token signed with the given key is valid at the current time. */
    isGood: async (key: IssuerKey, header: object = {}) =>
      typeof (await verify(tokenBy(key, claims, header))) !== 'string',
  };
}
