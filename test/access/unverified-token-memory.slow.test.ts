import { KeyObject } from 'node:crypto';
import { queryObjects } from 'node:v8';
import { expect, it } from 'vitest';
import { anIssuerKey, type IssuerKey, tokenBy } from '../harness/key-server.ts';
import { aVerifier, issuer } from '../harness/token-verifier.ts';

const [first, foreign] = ['first', 'foreign'].map(anIssuerKey) as [IssuerKey, IssuerKey];

// This test searches the memory of the whole process, so it is slow if many modules are loaded.
it('an unverified token leaves no key in memory, regardless of its issuer', async () => {
  const keysInMemory = () => queryObjects(KeyObject, { format: 'count' });
  const { verify, claims, isGood } = await aVerifier(first);
  expect(await isGood(first)).toBe(true);
  const before = keysInMemory();
  for (let made = 0; made < 100; made++) {
    expect(await verify(tokenBy(foreign, { ...claims, iss: `${issuer}/${made}` }, { kid: 'first' }))).toBe('issuer');
    expect(await isGood({ ...foreign, kid: 'first' })).toBe(false);
  }
  expect(keysInMemory() - before).toBeLessThan(10);
  expect(await isGood(first)).toBe(true);
});
