import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { singleTaskKey, subscriptionOf } from '../../../shared/domain/deliveries/task.ts';
import { dueAt, dueShards, failedAt, failedShards, timeKey } from '../../../shared/storage/deliveries/rows.ts';

describe('keys of deliveries', () => {
  it('sort by time', () => {
    fc.assert(
      fc.property(fc.nat(8e15), fc.nat(8e15), (one, other) => {
        fc.pre(String(one).length <= 15 && String(other).length <= 15);
        expect(Math.sign(one - other)).toBe(timeKey(one) < timeKey(other) ? -1 : timeKey(one) > timeKey(other) ? 1 : 0);
      }),
    );
  });

  it('the key of a single delivery includes its subscription', () => {
    const uuid = randomUUID();
    expect(subscriptionOf(singleTaskKey(uuid))).toBe(uuid);
  });

  it('a delivery always has the same shard, and due and failed rows use separate shards', () => {
    const ids = Array.from({ length: 2000 }, () => randomUUID());
    const due = ids.map((id) => dueAt(id, 0).sweepShard);
    expect(new Set(due)).toEqual(new Set(dueShards));
    expect(new Set(ids.map((id) => failedAt(id, 0).sweepShard))).toEqual(new Set(failedShards));
    expect(ids.map((id) => dueAt(id, 99).sweepShard)).toEqual(due);
    expect(new Set([...dueShards, ...failedShards]).size).toBe(64);
  });
});
