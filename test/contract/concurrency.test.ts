import { describe, expect, test } from 'vitest';
import { copiesOf, minConcurrency, reservedCopies } from '../../shared/contract/concurrency.ts';
import { workerLanes } from '../../shared/contract/workers.ts';

const together = (concurrency: number): number =>
  workerLanes.reduce((sum, { lane }) => sum + copiesOf(lane, concurrency), 0);

describe('the copies of all lanes together', () => {
  test.each([minConcurrency, 60, 100, 333, 900, 970, 1000, 10_000])('leave an account of %i room', (concurrency) => {
    const reserved = reservedCopies(concurrency) ?? 0;
    expect(together(concurrency) / concurrency).toBeLessThanOrEqual(0.7);
    expect(concurrency - together(concurrency) - reserved).toBeGreaterThanOrEqual(concurrency * 0.25);
    // AWS takes no lower maximum.
    for (const { lane } of workerLanes) expect(copiesOf(lane, concurrency), lane).toBeGreaterThanOrEqual(2);
  });

  test('are what the lanes declare in an ordinary account, and no more in a larger one', () => {
    for (const concurrency of [1000, 10_000])
      for (const { lane, maxConcurrency } of workerLanes) expect(copiesOf(lane, concurrency)).toBe(maxConcurrency);
  });

  test('do not fit where there is one function fewer than the least', () => {
    expect(together(minConcurrency - 1) / (minConcurrency - 1)).toBeGreaterThan(0.7);
  });
});

test('AWS keeps a hundred functions for those without a reserve', () => {
  for (const concurrency of [30, 100, 104]) expect(reservedCopies(concurrency)).toBeUndefined();
  expect(reservedCopies(105)).toBe(5);
  expect(reservedCopies(1000)).toBe(50);
});
