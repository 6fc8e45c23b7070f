import { expect, it } from 'vitest';
import { cacheFor } from '../../shared/lambda/cache-for.ts';

it('asks once in its minutes, also when asked by many at once, then again', async () => {
  let asked = 0;
  const ask = async () => ++asked;
  const kept = cacheFor<number>(5);
  expect(await Promise.all([kept(ask, 0), kept(ask, 0)])).toEqual([1, 1]);
  expect(await kept(ask, 5 * 60_000 - 1)).toBe(1);
  expect(await kept(ask, 5 * 60_000)).toBe(2);
});

it('does not keep a failure', async () => {
  const kept = cacheFor<string>(5);
  await expect(kept(() => Promise.reject(new Error('throttled')), 0)).rejects.toThrow('throttled');
  expect(await kept(async () => 'answer', 1)).toBe('answer');
});
