import { expect, test } from 'vitest';
import { copiesOf, minConcurrency, reservedCopies } from '../../shared/contract/concurrency.ts';
import { workerLanes } from '../../shared/contract/workers.ts';

const together = (concurrency: number): number =>
  workerLanes.reduce((sum, lane) => sum + copiesOf(lane, concurrency), 0);

test.each([minConcurrency, 60, 100, 333, 900, 970, 1000, 10_000])(
  'reservations leave at least 20 % of an account concurrency of %i unreserved',
  (concurrency) => {
    const reserved = reservedCopies(concurrency) ?? 0;
    expect(together(concurrency) / concurrency).toBeLessThanOrEqual(0.7);
    expect(concurrency - together(concurrency) - 2 * reserved).toBeGreaterThanOrEqual(
      Math.floor(concurrency * 0.2) - 1,
    );
    // AWS rejects a maximum concurrency below 2.
    for (const one of workerLanes) expect(copiesOf(one, concurrency), one.lane).toBeGreaterThanOrEqual(2);
  },
);

test('lanes reserve their declared maximum if the account concurrency is at least 1,000', () => {
  for (const concurrency of [1000, 10_000])
    for (const lane of workerLanes) expect(copiesOf(lane, concurrency)).toBe(lane.maxConcurrency);
});

test('the lanes reserve more than 70 % of an account concurrency that is one below the supported minimum', () => {
  expect(together(minConcurrency - 1) / (minConcurrency - 1)).toBeGreaterThan(0.7);
});

test('reservedCopies leaves at least 100 executions unreserved, as AWS requires', () => {
  for (const concurrency of [30, 100, 111]) expect(reservedCopies(concurrency)).toBeUndefined();
  expect(reservedCopies(112)).toBe(6);
  expect(reservedCopies(1000)).toBe(50);
});
