import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bucketOf } from '../../../shared/domain/deliveries/plan-tasks.ts';
import { sliceOf, sliceOfBucket, slicesOf } from '../../../shared/domain/deliveries/slice.ts';

describe('the slices of a message', () => {
  it.each([
    [0, 1],
    [5, 1],
    [6, 2],
    [7, 4],
    [9, 16],
    [11, 64],
    [17, 64],
    [24, 64],
  ])('cut by %i bits are %i', (bits, slices) => {
    expect(slicesOf(bits)).toBe(slices);
  });

  it.each([4, 7, 10, 17])('of %i bits are taken by neighbouring buckets in turn, all alike', (bits) => {
    const buckets = Array.from({ length: 2 ** Math.min(bits, 10) }, (_, bucket) => sliceOfBucket(bucket, bits));
    const counts = Array.from({ length: slicesOf(bits) }, (_, slice) => buckets.filter((one) => one === slice).length);
    expect(new Set(counts).size).toBe(1);
  });

  it('hold the rows of a subscription where its bucket has its own', () => {
    for (let count = 0; count < 200; count += 1) {
      const uuid = randomUUID();
      expect(sliceOf(uuid, 12)).toBe(sliceOfBucket(bucketOf(uuid, 12), 12));
    }
  });
});
