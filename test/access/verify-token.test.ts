import { describe, expect, it } from 'vitest';
import { anIssuerKey, type IssuerKey, tokenBy } from '../harness/key-server.ts';
import { aVerifier } from '../harness/token-verifier.ts';

const minute = 60_000;
const hour = 60 * minute;
const [first, second, foreign] = ['first', 'second', 'foreign'].map(anIssuerKey) as [IssuerKey, IssuerKey, IssuerKey];
const broken = { status: 503, text: '' };

describe("the issuer's keys", () => {
  it('are read once for many tokens', async () => {
    const { isGood, asked } = await aVerifier(first);
    expect(await Promise.all([1, 2, 3].map(() => isGood(first)))).toEqual([true, true, true]);
    expect(await isGood(first)).toBe(true);
    expect(asked()).toBe(1);
  });

  it('are read again after ten minutes: a withdrawn one is trusted no longer', async () => {
    const { isGood, asked, give, pass } = await aVerifier(first, second);
    expect(await isGood(first)).toBe(true);
    give([second]);
    pass(10 * minute - 1);
    expect([await isGood(first), asked()]).toEqual([true, 1]);
    pass(1);
    expect([await isGood(first), asked()]).toEqual([false, 2]);
    expect(await isGood(second)).toBe(true);
  });

  it('are taken as they are now, also under a name that was there before', async () => {
    const { isGood, give, pass } = await aVerifier(first);
    expect(await isGood(first)).toBe(true);
    const renewed = anIssuerKey('first');
    give([renewed]);
    pass(10 * minute);
    expect([await isGood(first), await isGood(renewed)]).toEqual([false, true]);
  });

  it('are read at once for a new one, which those who wait for it share', async () => {
    const { isGood, asked, give } = await aVerifier(first);
    expect(await isGood(first)).toBe(true);
    give([first, second]);
    expect(await Promise.all([second, foreign, second].map((key) => isGood(key)))).toEqual([true, false, true]);
    expect(asked()).toBe(2);
  });

  it('are searched at most once in ten seconds for one that the issuer does not have, however many ask', async () => {
    const { isGood, asked, pass } = await aVerifier(first);
    for (let second = 0; second < 30; second++) {
      expect(await isGood(anIssuerKey(`made up ${second}`))).toBe(false);
      expect(await isGood(first)).toBe(true);
      pass(1000);
    }
    expect(asked()).toBe(3);
  });

  it('are known within ten seconds when they are new, while others ask for what there is not', async () => {
    const { isGood, give, pass } = await aVerifier(first);
    expect(await isGood(foreign)).toBe(false);
    give([first, second]);
    pass(9_999);
    expect(await isGood(foreign)).toBe(false);
    pass(1);
    // Whoever comes first has them read, for all.
    expect(await isGood(foreign)).toBe(false);
    expect(await isGood(second)).toBe(true);
  });

  it('may change twice: what a search has found does not delay the next', async () => {
    const { isGood, give } = await aVerifier(first);
    expect(await isGood(first)).toBe(true);
    give([second]);
    expect(await isGood(second)).toBe(true);
    const third = anIssuerKey('third');
    give([third]);
    expect(await isGood(third)).toBe(true);
  });
});

describe('while the issuer cannot be read', () => {
  it('the keys of before serve for six hours, and that is told once', async () => {
    const { isGood, give, pass, state } = await aVerifier(first);
    expect(await isGood(first)).toBe(true);
    give(broken);
    for (let passed = 0; passed < 35; passed++) {
      pass(10 * minute);
      expect(await isGood(first)).toBe(true);
    }
    expect(state.faults).toMatchObject([{ errorName: 'staleKeys', ids: { keptHours: 6 } }]);
    pass(10 * minute);
    await expect(isGood(first)).rejects.toMatchObject({ errorName: 'keysRefused' });
    give([first]);
    expect(await isGood(first)).toBe(true);
    give(broken);
    pass(hour);
    expect(await isGood(first)).toBe(true);
    expect(state.faults).toHaveLength(2);
  });

  it('it is tried once a minute, and for keys that nobody knows once in ten seconds', async () => {
    const { isGood, give, pass, asked } = await aVerifier(first);
    expect(await isGood(first)).toBe(true);
    give(broken);
    pass(10 * minute);
    for (let second = 0; second < 120; second++) {
      await isGood(first);
      pass(1000);
    }
    expect(asked()).toBe(1 + 2);
    for (let second = 0; second < 30; second++) {
      expect(await isGood(foreign)).toBe(false);
      pass(1000);
    }
    expect(asked()).toBeLessThanOrEqual(1 + 2 + 1 + 3);
  });

  it.each([
    ['an error', broken, 'keysRefused'],
    ['no keys at all', { status: 200, text: '{"error":"moved"}' }, 'unreadableKeys'],
    ['a page', { status: 200, text: '<html>' }, 'unreadableKeys'],
  ])('nobody is judged by %s: it is our own fault', async (_what, answer, errorName) => {
    const { isGood, give } = await aVerifier(first);
    give(answer);
    await expect(isGood(first)).rejects.toMatchObject({ errorName });
  });
});

describe('a critical extension in the header (RFC 7515 section 4.1.11)', () => {
  it.each([
    ['is refused, since we know none', { crit: ['exp'], exp: 1 }],
    ['is refused though the list of them is empty', { crit: [] }],
    ['is refused though it is null', { crit: null }],
  ])('%s', async (_what, header) => {
    const { isGood } = await aVerifier(first);
    expect(await isGood(first, header)).toBe(false);
    expect(await isGood(first, { extension: true })).toBe(true);
  });
});

it('refuses a claim that is no well-formed Unicode: nothing that belongs to its caller could be stored', async () => {
  const { verify, claims } = await aVerifier(first);
  const refusals: string[] = [];
  const of = (client_id: string) => verify(tokenBy(first, { ...claims, client_id }), (reason) => refusals.push(reason));
  expect(await of('client \ud800')).toBeUndefined();
  expect(refusals).toEqual(['malformed']);
  expect(await of('client \ud83d\ude00')).toMatchObject({ client_id: 'client 😀' });
});
