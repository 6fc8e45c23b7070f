import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bucketOf,
  estimateCount,
  planTasks,
  segmentsFrom,
  uuidRange,
  wholeTopic,
} from '../../../shared/domain/deliveries/plan-tasks.ts';
import { bucketTaskKey } from '../../../shared/domain/deliveries/task-key.ts';
import { nameUuid } from '../../../shared/domain/name-uuid.ts';
import type { Segment } from '../../../shared/model/deliveries/fan-out-payload.ts';

const widths = fc.integer({ min: 0, max: 24 });
const zeros = '00000000-0000-8000-8000-000000000000';
const effs = 'ffffffff-ffff-8fff-bfff-ffffffffffff';
const uuids = fc.oneof(fc.uuid(), fc.constantFrom(zeros, effs));

/** Whether DynamoDB's BETWEEN finds the uuid: it compares the bytes of the texts. */
const isIn = (uuid: string, segment: Segment): boolean => {
  const { first, last } = uuidRange(segment);
  return (
    Buffer.compare(Buffer.from(first), Buffer.from(uuid)) <= 0 &&
    Buffer.compare(Buffer.from(uuid), Buffer.from(last)) <= 0
  );
};

/** The numbers of a range's bounds, of which the last stands with `~`, above everything that begins with it. */
const bounds = (segment: Segment) => {
  const { first, last } = uuidRange(segment);
  expect(first).toMatch(/^[\da-f]{8}$/);
  expect(last).toMatch(/^[\da-f]{8}~$/);
  return { from: Number.parseInt(first, 16), to: Number.parseInt(last, 16) };
};

describe('segmentsFrom', () => {
  it('leaves no gap and no overlap: each begins where the one before ends, from the first uuid to the last', () => {
    // As many segments as a topic may have, and not a million.
    const cuts = widths.chain((bits) =>
      fc.record({
        bits: fc.constant(bits),
        buckets: fc.integer({ min: Math.ceil(2 ** bits / 300), max: 2 ** bits + 1 }),
      }),
    );
    fc.assert(
      fc.property(cuts, ({ bits, buckets }) => {
        const segments = segmentsFrom(bits, 0, buckets);
        let next = 0;
        for (const segment of segments) {
          const { from, to } = bounds(segment);
          expect(from).toBe(next);
          expect(to).toBeGreaterThanOrEqual(from);
          expect(segment.to - segment.from).toBeLessThanOrEqual(buckets);
          next = to + 1;
        }
        expect(next).toBe(2 ** 32);
        expect(segments).toHaveLength(Math.ceil(2 ** bits / buckets));
      }),
    );
  });

  it('puts every uuid into exactly one segment, whole buckets together', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 1, max: 300 }), uuids, (bits, buckets, uuid) => {
        const homes = segmentsFrom(bits, 0, buckets).filter((segment) => isIn(uuid, segment));
        expect(homes).toHaveLength(1);
        const bucket = bucketOf(uuid, bits);
        expect(homes[0]?.from).toBeLessThanOrEqual(bucket);
        expect(homes[0]?.to).toBeGreaterThan(bucket);
      }),
    );
  });

  it('goes on from a bucket to the end', () => {
    expect(segmentsFrom(3, 2, 4)).toEqual([
      { bits: 3, from: 2, to: 6 },
      { bits: 3, from: 6, to: 8 },
    ]);
    expect(segmentsFrom(3, 8, 4)).toEqual([]);
  });
});

describe('uuidRange', () => {
  it.each([
    [wholeTopic(0), '00000000', 'ffffffff~'],
    [wholeTopic(24), '00000000', 'ffffffff~'],
    [{ bits: 1, from: 1, to: 2 }, '80000000', 'ffffffff~'],
    [{ bits: 4, from: 0, to: 1 }, '00000000', '0fffffff~'],
    [{ bits: 24, from: 255, to: 256 }, '0000ff00', '0000ffff~'],
  ])('of %j is %s to %s', (segment, first, last) => {
    expect(uuidRange(segment)).toEqual({ first, last });
  });

  it('of the whole topic holds every uuid', () => {
    fc.assert(
      fc.property(uuids, widths, (uuid, bits) => {
        expect(isIn(uuid, wholeTopic(bits))).toBe(true);
      }),
    );
  });
});

describe('bucketOf', () => {
  it('ascends with the uuid, and stays within its bits', () => {
    fc.assert(
      fc.property(uuids, uuids, widths, (one, other, bits) => {
        const [low, high] = [one, other].toSorted() as [string, string];
        expect(bucketOf(low, bits)).toBeLessThanOrEqual(bucketOf(high, bits));
        expect(bucketOf(low, bits)).toBeGreaterThanOrEqual(0);
        expect(bucketOf(high, bits)).toBeLessThan(2 ** bits);
      }),
    );
  });

  it('is the leading bits', () => {
    expect([0, 1, 4, 8, 24].map((bits) => bucketOf('a5c3f0ff-0000-8000-8000-000000000000', bits))).toEqual([
      0, 1, 0xa, 0xa5, 0xa5c3f0,
    ]);
  });
});

describe('taskKeyOf', () => {
  it('sorts as the buckets do, so that a range of keys is a range of buckets', () => {
    fc.assert(
      fc.property(uuids, uuids, widths, (one, other, bits) => {
        const [low, high] = [bucketOf(one, bits), bucketOf(other, bits)].toSorted((a, b) => a - b) as [number, number];
        const [first, last] = [bucketTaskKey('http', bits, low), bucketTaskKey('http', bits, high)];
        expect(first <= last).toBe(true);
        expect(first === last).toBe(low === high);
      }),
    );
  });

  it('is another for another protocol, another cut, and another bucket, and never that of a single task', () => {
    const keys = [
      bucketTaskKey('http', 8, 1),
      bucketTaskKey('email', 8, 1),
      bucketTaskKey('http', 9, 1),
      bucketTaskKey('http', 8, 2),
    ];
    expect(new Set(keys).size).toBe(4);
    expect(keys).toEqual(['08#000001#http', '08#000001#email', '09#000001#http', '08#000002#http']);
  });

  it('is the key of the task that a subscription is planned into', () => {
    fc.assert(
      fc.property(uuids, widths, (uuid, bits) => {
        const [task] = planTasks([{ uuid, protocol: 'email' }], bits);
        expect(task?.taskKey).toBe(bucketTaskKey('email', bits, bucketOf(uuid, bits)));
      }),
    );
  });
});

describe('estimateCount', () => {
  it.each([1000, 20_000])('of %i is right to a tenth, judged by its first 500', (count) => {
    const all = Array.from({ length: count }, (_, index) => nameUuid('subscription', String(index))).toSorted();
    const estimate = estimateCount(500, all[499] ?? '');
    expect(estimate).toBeGreaterThan(count * 0.9);
    expect(estimate).toBeLessThan(count * 1.1);
  });

  it('never says fewer than were seen', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), uuids, (count, last) => {
        expect(estimateCount(count, last)).toBeGreaterThanOrEqual(count);
        expect(estimateCount(count, effs)).toBe(count);
        expect(Number.isSafeInteger(estimateCount(count, zeros))).toBe(true);
      }),
    );
  });
});
