import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type PlannedTask,
  planTasks,
  rowShardCount,
  rowShardOf,
  rowShardOfSubscription,
  shardBitsFor,
  shardOf,
} from '../../../shared/domain/deliveries/shards.ts';
import { nameUuid } from '../../../shared/domain/name-uuid.ts';
import { noon } from '../../harness/builders.ts';

const subscriptions = fc.uniqueArray(
  fc.record({ uuid: fc.uuid(), protocol: fc.constantFrom('http' as const, 'email' as const), activeSince: fc.nat() }),
  { selector: ({ uuid }) => uuid, maxLength: 60 },
);
const shardBits = fc.integer({ min: 0, max: 24 });

const taskOf = (tasks: readonly PlannedTask[], uuid: string): string | undefined =>
  tasks.find(({ subscriptionUuids }) => subscriptionUuids.includes(uuid))?.taskKey;

describe('planTasks', () => {
  it('planTasks puts every subscription into exactly one task of its protocol', () => {
    fc.assert(
      fc.property(subscriptions, shardBits, (given, width) => {
        const tasks = planTasks(given, width);
        const planned = tasks.flatMap(({ protocol, subscriptionUuids }) =>
          subscriptionUuids.map((uuid) => `${uuid} ${protocol}`),
        );
        expect(planned.toSorted()).toEqual(given.map(({ uuid, protocol }) => `${uuid} ${protocol}`).toSorted());
        expect(new Set(tasks.map(({ taskKey }) => taskKey)).size).toBe(tasks.length);
      }),
    );
  });

  it('planTasks keeps a subscription in its task when other subscriptions are added or deleted', () => {
    fc.assert(
      fc.property(subscriptions, shardBits, fc.func(fc.boolean()), (given, width, stays) => {
        const all = planTasks(given, width);
        const remaining = given.filter(({ uuid }) => stays(uuid));
        const later = planTasks(remaining.toReversed(), width);
        for (const { uuid } of remaining) expect(taskOf(later, uuid)).toBe(taskOf(all, uuid));
      }),
    );
  });

  it('planTasks creates only one task if all subscriptions fit into one task', () => {
    const ten = Array.from({ length: 10 }, (_, index) => ({
      uuid: nameUuid(String(index)),
      protocol: 'http' as const,
      activeSince: noon,
    }));
    expect(planTasks(ten, shardBitsFor(10, 10))).toEqual([
      { taskKey: '00#000000#http', protocol: 'http', subscriptionUuids: ten.map(({ uuid }) => uuid) },
    ]);
  });

  it('planTasks splits a shard that has too many UUIDs for a single SQS message', () => {
    const uuids = Array.from({ length: 2001 }, (_, index) => `aaaaaaaa-${index}`);
    const crowd = uuids.map((uuid) => ({ uuid, protocol: 'http' as const, activeSince: noon }));
    const planned = planTasks(crowd, 8);
    expect(planned.map(({ taskKey, subscriptionUuids }) => [taskKey, subscriptionUuids.length])).toEqual([
      ['08#0000aa#http', 1000],
      ['08#0000aa#http', 1000],
      ['08#0000aa#http', 1],
    ]);
    expect(planned.flatMap(({ subscriptionUuids }) => subscriptionUuids)).toEqual(uuids);
  });
});

it.each([
  [0, 10, 0],
  [1, 10, 0],
  [10, 10, 0],
  [11, 10, 1],
  [20, 10, 1],
  [21, 10, 2],
  [640, 10, 6],
  [641, 10, 7],
  [1_000_000, 10, 17],
  [1e12, 1, 24],
])('for %i subscriptions and %i subscriptions per task, shardBitsFor returns %i', (count, perTask, expected) => {
  expect(shardBitsFor(count, perTask)).toBe(expected);
});

it.each([
  [0, 1],
  [5, 1],
  [6, 2],
  [7, 4],
  [9, 16],
  [11, 64],
  [17, 64],
  [24, 64],
])('with %i shard bits, a message has %i row shards', (shardBits, rowShards) => {
  expect(rowShardCount(shardBits)).toBe(rowShards);
});

it.each([4, 7, 10, 17])(
  'the row shards of a message contain equal numbers of adjacent shards if `shardBits` is %i',
  (shardBits) => {
    const shards = Array.from({ length: 2 ** Math.min(shardBits, 10) }, (_, shard) => rowShardOf(shard, shardBits));
    const counts = Array.from(
      { length: rowShardCount(shardBits) },
      (_, rowShard) => shards.filter((one) => one === rowShard).length,
    );
    expect(new Set(counts).size).toBe(1);
  },
);

it('a batch and the single deliveries of its subscriptions have the same row shard', () => {
  for (let count = 0; count < 200; count += 1) {
    const uuid = randomUUID();
    expect(rowShardOfSubscription(uuid, 12)).toBe(rowShardOf(shardOf(uuid, 12), 12));
  }
});
