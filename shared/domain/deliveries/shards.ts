import { inParts } from '../in-parts.ts';
import type { StoredSubscription } from '../subscriptions/subscription.ts';
import type { Segment } from './message.ts';
import { batchTaskKey, type DeliveryTask } from './task.ts';

// A message has one row shard per 32 shards, and at most 64 row shards. The constants are the base-2 logarithms of 32
// and 64.
const shardBitsPerRowShard = 5;
const maxRowShardBits = 6;

/**
 * Returns the number of row shards of a message: one per 32 shards, at most 64. DynamoDB allows 1,000 writes of 1 KB
 * per second for each partition key. The row shards use at most half of the allowed writes. Delivering to 10,000
 * receivers per second takes 5,500 writes per second if 3 % of the receivers fail. With 64 row shards, each partition
 * key receives 86 of the 5,500 writes. Sixteen row shards would be too few, because DynamoDB may store several keys in
 * one partition. A message with fewer than 32 shards causes only about 350 writes in total.
 */
export const rowShardCount = (shardBits: number): number =>
  2 ** Math.min(maxRowShardBits, Math.max(0, shardBits - shardBitsPerRowShard));

/**
 * Returns the row shard that stores the rows of a shard. The lowest bits of the shard number determine the row shard,
 * so that neighbouring shards use different row shards.
 */
export const rowShardOf = (shard: number, shardBits: number): number => shard % rowShardCount(shardBits);

export const rowShardOfSubscription = (uuid: string, shardBits: number): number =>
  rowShardOf(shardOf(uuid, shardBits), shardBits);

export interface ActiveSubscription extends Readonly<Pick<StoredSubscription, 'uuid' | 'protocol' | 'subjects'>> {
  /** Epoch milliseconds. */
  readonly activeSince: number;
}

export type PlannedTask = Pick<DeliveryTask, 'taskKey' | 'protocol' | 'subscriptionUuids'>;

export const subscriptionsPerTask = 20;

export const maxShardBits = 24;
const keySpace = 2 ** 32;

/**
 * The maximum number of attempts in a batch. One DynamoDB transaction, which allows at most 100 items, records all
 * outcomes of a batch. Subscriptions beyond the maximum get single deliveries.
 */
export const maxBatchAttempts = 40;

/** The maximum number of uuids in a payload: 40 KB of the 1 MiB that SQS allows. Larger tasks need several payloads. */
export const maxUuidsPerTask = 1000;

/**
 * Returns how many leading bits of a uuid determine its shard. On average, a shard has between half of `perTask` and
 * `perTask` subscriptions. At an average of 20 subscriptions, one shard in 100,000 has more than `maxBatchAttempts`.
 */
export const shardBitsFor = (count: number, perTask: number): number =>
  Math.min(maxShardBits, Math.max(0, Math.ceil(Math.log2(count / perTask))));

const position = (uuid: string): number => Number.parseInt(uuid.slice(0, 8), 16);

/** Returns the shard of a uuid. The shard number consists of the uuid's leading bits. */
export const shardOf = (uuid: string, shardBits: number): number => Math.floor(position(uuid) / 2 ** (32 - shardBits));

/**
 * Estimates how many subscriptions a topic has.
 * @param count the number of subscriptions read so far
 * @param last the last uuid read
 */
export const estimateCount = (count: number, last: string): number =>
  Math.ceil((count * keySpace) / (position(last) + 1));

/** Returns the uuid range of a segment, as the first eight digits of the uuids. */
export function uuidRange({ shardBits, from, to }: Segment): { readonly first: string; readonly last: string } {
  const width = 2 ** (32 - shardBits);
  const hex = (number: number): string => number.toString(16).padStart(8, '0');
  return { first: hex(from * width), last: `${hex(to * width - 1)}~` };
}

export const wholeTopic = (shardBits: number): Segment => ({ shardBits, from: 0, to: 2 ** shardBits });

/** Divides all shards, starting at `from`, into segments of at most `shards` shards. */
export function segmentsFrom(shardBits: number, from: number, shards: number): Segment[] {
  const segments: Segment[] = [];
  for (let start = from; start < 2 ** shardBits; start += shards) {
    segments.push({ shardBits, from: start, to: Math.min(start + shards, 2 ** shardBits) });
  }
  return segments;
}

/**
 * Groups subscriptions into tasks by shard. A subscription's shard depends only on its uuid and `shardBits`. A repeated
 * plan therefore contains the same tasks, whose rows may already contain outcomes. Splits tasks that have more than
 * `maxUuidsPerTask` subscriptions.
 */
export function planTasks(
  subscriptions: Iterable<Pick<ActiveSubscription, 'uuid' | 'protocol'>>,
  shardBits: number,
): PlannedTask[] {
  const tasks = new Map<string, PlannedTask>();
  for (const { uuid, protocol } of subscriptions) {
    const taskKey = batchTaskKey(protocol, shardBits, shardOf(uuid, shardBits));
    const task = tasks.get(taskKey) ?? { taskKey, protocol, subscriptionUuids: [] };
    task.subscriptionUuids.push(uuid);
    tasks.set(taskKey, task);
  }
  return [...tasks.values()].flatMap((task) =>
    inParts(task.subscriptionUuids, maxUuidsPerTask).map((subscriptionUuids) => ({ ...task, subscriptionUuids })),
  );
}
