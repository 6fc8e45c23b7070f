import { describe, expect, it } from 'vitest';
import { anIssuerKey, type IssuerKey, tokenBy } from '../harness/key-server.ts';
import { aVerifier } from '../harness/token-verifier.ts';

const minute = 60_000;
const hour = 60 * minute;
const [first, second, foreign] = ['first', 'second', 'foreign'].map(anIssuerKey) as [IssuerKey, IssuerKey, IssuerKey];
const broken = { status: 503, text: '' };

it('the verifier reads the keys of the issuer only once for many tokens', async () => {
  const { isGood, readCount } = await aVerifier(first);
  expect(await Promise.all([1, 2, 3].map(() => isGood(first)))).toEqual([true, true, true]);
  expect(await isGood(first)).toBe(true);
  expect(readCount()).toBe(1);
});

it('the verifier reads the keys again after ten minutes, so that it no longer trusts a withdrawn key', async () => {
  const { isGood, readCount, setResponse, pass } = await aVerifier(first, second);
  expect(await isGood(first)).toBe(true);
  setResponse([second]);
  pass(10 * minute - 1);
  expect([await isGood(first), readCount()]).toEqual([true, 1]);
  pass(1);
  expect([await isGood(first), readCount()]).toEqual([false, 2]);
  expect(await isGood(second)).toBe(true);
});

it('new keys replace all old keys, even if a new key has the ID of an old key', async () => {
  const { isGood, setResponse, pass } = await aVerifier(first);
  expect(await isGood(first)).toBe(true);
  const renewed = anIssuerKey('first');
  setResponse([renewed]);
  pass(10 * minute);
  expect([await isGood(first), await isGood(renewed)]).toEqual([false, true]);
});

it('the verifier reads the keys immediately if a token names an unknown key, but only once for concurrent tokens', async () => {
  const { isGood, readCount, setResponse } = await aVerifier(first);
  expect(await isGood(first)).toBe(true);
  setResponse([first, second]);
  expect(await Promise.all([second, foreign, second].map((key) => isGood(key)))).toEqual([true, false, true]);
  expect(readCount()).toBe(2);
});

it('the verifier reads the keys at most once every ten seconds, even if many tokens name unknown keys', async () => {
  const { isGood, readCount, pass } = await aVerifier(first);
  for (let second = 0; second < 30; second++) {
    expect(await isGood(anIssuerKey(`made up ${second}`))).toBe(false);
    expect(await isGood(first)).toBe(true);
    pass(1000);
  }
  expect(readCount()).toBe(3);
});

it('the verifier reads a new key within ten seconds, even if other tokens name unknown keys', async () => {
  const { isGood, setResponse, pass } = await aVerifier(first);
  expect(await isGood(foreign)).toBe(false);
  setResponse([first, second]);
  pass(9_999);
  expect(await isGood(foreign)).toBe(false);
  pass(1);
  // Once ten seconds have passed, the verifier reads the keys again when it checks the next token.
  expect(await isGood(foreign)).toBe(false);
  expect(await isGood(second)).toBe(true);
});

it('the verifier accepts the new keys even if the issuer changes its keys twice within ten seconds', async () => {
  const { isGood, setResponse } = await aVerifier(first);
  expect(await isGood(first)).toBe(true);
  setResponse([second]);
  expect(await isGood(second)).toBe(true);
  const third = anIssuerKey('third');
  setResponse([third]);
  expect(await isGood(third)).toBe(true);
});

it('if the issuer fails, the last known keys stay valid for six hours and the failure is reported once', async () => {
  const { isGood, setResponse, pass, state } = await aVerifier(first);
  expect(await isGood(first)).toBe(true);
  setResponse(broken);
  for (let passed = 0; passed < 35; passed++) {
    pass(10 * minute);
    expect(await isGood(first)).toBe(true);
  }
  expect(state.faults).toMatchObject([{ errorName: 'staleKeys', ids: { keptHours: 6 } }]);
  pass(10 * minute);
  await expect(isGood(first)).rejects.toMatchObject({ errorName: 'keysRefused' });
  setResponse([first]);
  expect(await isGood(first)).toBe(true);
  setResponse(broken);
  pass(hour);
  expect(await isGood(first)).toBe(true);
  expect(state.faults).toHaveLength(2);
});

it('after a failure, the verifier retries once a minute, or every ten seconds if a token names an unknown key', async () => {
  const { isGood, setResponse, pass, readCount } = await aVerifier(first);
  expect(await isGood(first)).toBe(true);
  setResponse(broken);
  pass(10 * minute);
  for (let second = 0; second < 120; second++) {
    await isGood(first);
    pass(1000);
  }
  expect(readCount()).toBe(1 + 2);
  for (let second = 0; second < 30; second++) {
    expect(await isGood(foreign)).toBe(false);
    pass(1000);
  }
  expect(readCount()).toBeLessThanOrEqual(1 + 2 + 1 + 3);
});

it.each([
  ['an error', broken, 'keysRefused'],
  ['JSON without keys', { status: 200, text: '{"error":"moved"}' }, 'unreadableKeys'],
  ['an HTML page', { status: 200, text: '<html>' }, 'unreadableKeys'],
])('%s from the issuer causes an internal error, not a rejected token', async (_what, response, errorName) => {
  const { isGood, setResponse } = await aVerifier(first);
  setResponse(response);
  await expect(isGood(first)).rejects.toMatchObject({ errorName });
});

describe('a `crit` header parameter (RFC 7515 section 4.1.11)', () => {
  it.each([
    ['a token with `crit` is rejected, because the verifier supports no extensions', { crit: ['exp'], exp: 1 }],
    ['a token with `crit` is rejected even if the list is empty', { crit: [] }],
    ['a token with `crit` is rejected even if the value is null', { crit: null }],
  ])('%s', async (_what, header) => {
    const { isGood } = await aVerifier(first);
    expect(await isGood(first, header)).toBe(false);
    expect(await isGood(first, { extension: true })).toBe(true);
  });
});

it('a token with a claim that is not well-formed Unicode is rejected, because its caller cannot be stored', async () => {
  const { verify, claims } = await aVerifier(first);
  const verifyWith = (client_id: string) => verify(tokenBy(first, { ...claims, client_id }));
  expect(await verifyWith('client \ud800')).toBe('malformed');
  expect(await verifyWith('client \ud83d\ude00')).toMatchObject({ client_id: 'client 😀' });
});
