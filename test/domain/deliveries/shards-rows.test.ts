import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  rowShardCount,
  rowShardOf,
  rowShardOfSubscription,
  shardOf,
} from '../../../shared/domain/deliveries/shards.ts';

describe('the row shards of a message', () => {
  it.each([
    [0, 1],
    [5, 1],
    [6, 2],
    [7, 4],
    [9, 16],
    [11, 64],
    [17, 64],
    [24, 64],
  ])('with shardBits %i: %i row shards', (shardBits, rowShards) => {
    expect(rowShardCount(shardBits)).toBe(rowShards);
  });

  it.each([4, 7, 10, 17])('contain equal numbers of adjacent shards if shardBits is %i', (shardBits) => {
    const shards = Array.from({ length: 2 ** Math.min(shardBits, 10) }, (_, shard) => rowShardOf(shard, shardBits));
    const counts = Array.from(
      { length: rowShardCount(shardBits) },
      (_, rowShard) => shards.filter((one) => one === rowShard).length,
    );
    expect(new Set(counts).size).toBe(1);
  });

  it('are the same for a batch and for the single deliveries of its subscriptions', () => {
    for (let count = 0; count < 200; count += 1) {
      const uuid = randomUUID();
      expect(rowShardOfSubscription(uuid, 12)).toBe(rowShardOf(shardOf(uuid, 12), 12));
    }
  });
});
