import { expect, it } from 'vitest';
import { cacheFor } from '../../shared/lambda/cache-for.ts';

it('cacheFor reads a value only once for concurrent and later callers, and again after the given number of minutes', async () => {
  let reads = 0;
  const read = async () => ++reads;
  const cached = cacheFor<number>(5);
  expect(await Promise.all([cached(read, 0), cached(read, 0)])).toEqual([1, 1]);
  expect(await cached(read, 5 * 60_000 - 1)).toBe(1);
  expect(await cached(read, 5 * 60_000)).toBe(2);
});

it('cacheFor does not cache a failed read', async () => {
  const cached = cacheFor<string>(5);
  await expect(cached(() => Promise.reject(new Error('throttled')), 0)).rejects.toThrow('throttled');
  expect(await cached(async () => 'value', 1)).toBe('value');
});
