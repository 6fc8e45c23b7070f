import { describe, expect, test } from 'vitest';
import { copiesOf, minConcurrency, reservedCopies } from '../../shared/contract/concurrency.ts';
import { workerLanes } from '../../shared/contract/workers.ts';

const together = (concurrency: number): number =>
  workerLanes.reduce((sum, { lane }) => sum + copiesOf(lane, concurrency), 0);

describe('the reserved concurrency of all lanes', () => {
  test.each([minConcurrency, 60, 100, 333, 900, 970, 1000, 10_000])(
    'leaves at least 25 % of %i unreserved',
    (concurrency) => {
      const reserved = reservedCopies(concurrency) ?? 0;
      expect(together(concurrency) / concurrency).toBeLessThanOrEqual(0.7);
      expect(concurrency - together(concurrency) - reserved).toBeGreaterThanOrEqual(concurrency * 0.25);
      // AWS rejects a maximum concurrency below 2.
      for (const { lane } of workerLanes) expect(copiesOf(lane, concurrency), lane).toBeGreaterThanOrEqual(2);
    },
  );

  test('equals the declared maximum of each lane if the account concurrency is at least 1,000', () => {
    for (const concurrency of [1000, 10_000])
      for (const { lane, maxConcurrency } of workerLanes) expect(copiesOf(lane, concurrency)).toBe(maxConcurrency);
  });

  test('exceeds 70 % of an account concurrency that is one below the supported minimum', () => {
    expect(together(minConcurrency - 1) / (minConcurrency - 1)).toBeGreaterThan(0.7);
  });
});

test('reservedCopies leaves at least 100 executions unreserved, because AWS requires this', () => {
  for (const concurrency of [30, 100, 104]) expect(reservedCopies(concurrency)).toBeUndefined();
  expect(reservedCopies(105)).toBe(5);
  expect(reservedCopies(1000)).toBe(50);
});
