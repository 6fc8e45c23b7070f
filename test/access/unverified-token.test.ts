import { expect, it } from 'vitest';
import { anIssuerKey, type IssuerKey, tokenBy } from '../harness/key-server.ts';
import { aVerifier, issuer } from '../harness/token-verifier.ts';

const [first, foreign] = ['first', 'foreign'].map(anIssuerKey) as [IssuerKey, IssuerKey];

it.each([`${issuer}/`, issuer.toUpperCase(), '', undefined])(
  'a token with the issuer %j is rejected without reading the keys of that issuer',
  async (iss) => {
    const { verify, claims, isGood, readCount } = await aVerifier(first);
    expect(await isGood(first)).toBe(true);
    expect(await verify(tokenBy(foreign, { ...claims, iss }))).toBe('issuer');
    expect(await verify(tokenBy(first, { ...claims, iss }))).toBe('issuer');
    expect(readCount()).toBe(1);
  },
);

it.each(['RS256', 'ES512', 'HS256', 'none', 'EdDSA'])(
  'a token with the algorithm %s is rejected, even if the issuer published the key without an algorithm',
  async (alg) => {
    const bare: IssuerKey = { ...first, published: { ...first.published, alg: undefined } };
    const { isGood, state } = await aVerifier(bare);
    expect(await isGood(bare)).toBe(true);
    expect(await isGood({ ...foreign, kid: 'first' }, { alg })).toBe(false);
    expect(await isGood(bare)).toBe(true);
    expect(state.faults).toEqual([]);
  },
);
