import { expect, it } from 'vitest';
import { claimedOrigin } from '../../shared/access/verify-token.ts';
import { anIssuerKey, type IssuerKey, tokenBy } from '../harness/key-server.ts';
import { aVerifier, issuer } from '../harness/token-verifier.ts';

const [first, foreign] = ['first', 'foreign'].map(anIssuerKey) as [IssuerKey, IssuerKey];
const seconds = Math.floor(Date.now() / 1000);

it.each<[reason: string, key: IssuerKey, claims: object, header?: object]>([
  ['signature', { ...foreign, kid: 'first' }, {}],
  ['key unknown', foreign, {}],
  ['issuer', first, { iss: 'https://issuer.example.net' }],
  ['audience', first, { aud: 'another' }],
  ['audience', first, { aud: undefined }],
  ['expired', first, { exp: seconds - 60 }],
  ['no expiry', first, { exp: undefined }],
  ['not yet valid', first, { nbf: seconds + 600 }],
  ['crit', first, {}, { crit: ['exp'] }],
  ['algorithm', first, {}, { alg: 'RS256' }],
  ['malformed', first, {}, { kid: undefined }],
  ['malformed', first, { exp: 'soon' }],
])('the reason for a rejected token is reported: %s', async (reason, key, claims, header) => {
  const { verify, claims: good } = await aVerifier(first);
  expect(await verify(tokenBy(key, { ...good, ...claims }, header))).toBe(reason);
});

it.each(['', 'x', 'x.y.z', 'e30.W10.AA'])('the token %j is rejected with the reason "malformed"', async (token) => {
  const { verify } = await aVerifier(first);
  expect([await verify(token), claimedOrigin(token)]).toEqual(['malformed', {}]);
});

it('the claims of a valid token are returned instead of a reason for rejection', async () => {
  const { verify, claims } = await aVerifier(first);
  expect(await verify(tokenBy(first, claims))).toMatchObject({ iss: issuer });
});

it('claimedOrigin returns the key ID and the issuer that an unverified token contains', () => {
  expect(claimedOrigin(tokenBy(first, { iss: issuer }))).toEqual({ keyId: 'first', claimedIssuer: issuer });
});

it("claimedOrigin shortens a token's claims and replaces control characters", () => {
  const nasty = `a\n\u001b[31m\u009b\u202e${'x'.repeat(300)}`;
  const { keyId, claimedIssuer } = claimedOrigin(tokenBy(first, { iss: nasty }, { kid: nasty }));
  for (const shown of [keyId, claimedIssuer]) {
    expect(shown).toMatch(/^a\?\?\[31m\?\?x+$/);
    expect(shown?.length).toBeLessThanOrEqual(200);
  }
});
