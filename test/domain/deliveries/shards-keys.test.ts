import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Segment } from '../../../shared/domain/deliveries/message.ts';
import {
  estimateCount,
  segmentsFrom,
  shardOf,
  uuidRange,
  wholeTopic,
} from '../../../shared/domain/deliveries/shards.ts';
import { batchTaskKey } from '../../../shared/domain/deliveries/task.ts';
import { nameUuid } from '../../../shared/domain/name-uuid.ts';

const widths = fc.integer({ min: 0, max: 24 });
const zeros = '00000000-0000-8000-8000-000000000000';
const effs = 'ffffffff-ffff-8fff-bfff-ffffffffffff';
const uuids = fc.oneof(fc.uuid(), fc.constantFrom(zeros, effs));

/**
 * Returns the first and last UUID prefix of the segment as numbers. The last prefix ends with `~`, which sorts after
 * every UUID with this prefix.
 */
const bounds = (segment: Segment) => {
  const { first, last } = uuidRange(segment);
  expect(first).toMatch(/^[\da-f]{8}$/);
  expect(last).toMatch(/^[\da-f]{8}~$/);
  return { from: Number.parseInt(first, 16), to: Number.parseInt(last, 16) };
};

it('segmentsFrom covers all UUIDs from the first to the last, without gaps or overlaps', () => {
  // A limit of 300 segments keeps this test fast.
  const cuts = widths.chain((shardBits) =>
    fc.record({
      shardBits: fc.constant(shardBits),
      shards: fc.integer({ min: Math.ceil(2 ** shardBits / 300), max: 2 ** shardBits + 1 }),
    }),
  );
  fc.assert(
    fc.property(cuts, ({ shardBits, shards }) => {
      const segments = segmentsFrom(shardBits, 0, shards);
      let next = 0;
      for (const segment of segments) {
        const { from, to } = bounds(segment);
        expect(from).toBe(next);
        expect(to).toBeGreaterThanOrEqual(from);
        expect(segment.to - segment.from).toBeLessThanOrEqual(shards);
        next = to + 1;
      }
      expect(next).toBe(2 ** 32);
      expect(segments).toHaveLength(Math.ceil(2 ** shardBits / shards));
    }),
  );
});

it('segmentsFrom returns the segments from the given shard to the last shard', () => {
  expect(segmentsFrom(3, 2, 4)).toEqual([
    { shardBits: 3, from: 2, to: 6 },
    { shardBits: 3, from: 6, to: 8 },
  ]);
  expect(segmentsFrom(3, 8, 4)).toEqual([]);
});

describe('uuidRange', () => {
  it.each([
    [wholeTopic(0), '00000000', 'ffffffff~'],
    [wholeTopic(24), '00000000', 'ffffffff~'],
    [{ shardBits: 1, from: 1, to: 2 }, '80000000', 'ffffffff~'],
    [{ shardBits: 4, from: 0, to: 1 }, '00000000', '0fffffff~'],
    [{ shardBits: 24, from: 255, to: 256 }, '0000ff00', '0000ffff~'],
  ])('uuidRange of %j is %s to %s', (segment, first, last) => {
    expect(uuidRange(segment)).toEqual({ first, last });
  });
});

it('shardOf returns the number formed by the first `shardBits` bits of the UUID', () => {
  expect([0, 1, 4, 8, 24].map((shardBits) => shardOf('a5c3f0ff-0000-8000-8000-000000000000', shardBits))).toEqual([
    0, 1, 0xa, 0xa5, 0xa5c3f0,
  ]);
});

it('batchTaskKey depends on the protocol, `shardBits` and the shard, and differs from every key of a single delivery', () => {
  const keys = [
    batchTaskKey('http', 8, 1),
    batchTaskKey('email', 8, 1),
    batchTaskKey('http', 9, 1),
    batchTaskKey('http', 8, 2),
  ];
  expect(new Set(keys).size).toBe(4);
  expect(keys).toEqual(['08#000001#http', '08#000001#email', '09#000001#http', '08#000002#http']);
});

it.each([1000, 20_000])(
  'estimateCount estimates %i subscriptions to within 10 % from the first 500 subscriptions',
  (count) => {
    const all = Array.from({ length: count }, (_, index) => nameUuid('subscription', String(index))).toSorted();
    const estimate = estimateCount(500, all[499] ?? '');
    expect(estimate).toBeGreaterThan(count * 0.9);
    expect(estimate).toBeLessThan(count * 1.1);
  },
);

it('estimateCount never returns less than the number of counted subscriptions', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), uuids, (count, last) => {
      expect(estimateCount(count, last)).toBeGreaterThanOrEqual(count);
      expect(estimateCount(count, effs)).toBe(count);
      expect(Number.isSafeInteger(estimateCount(count, zeros))).toBe(true);
    }),
  );
});
