import type { Segment } from '../../model/deliveries/fan-out-payload.ts';
import { inParts } from '../in-parts.ts';
import type { Protocol } from '../subscriptions/subscription.ts';
import { bucketTaskKey } from './task-key.ts';

export interface ActiveSubscription {
  readonly uuid: string;
  readonly protocol: Protocol;
  /** Epoch milliseconds. */
  readonly activeSince: number;
  /** Its filter. */
  readonly subjects: readonly string[];
}

export interface PlannedTask {
  readonly taskKey: string;
  readonly protocol: Protocol;
  readonly subscriptionUuids: readonly string[];
}

/** How finely the largest topic is cut. */
export const mostBits = 24;
const keySpace = 2 ** 32;

/**
 * How many subscriptions of a task are attempted and written together: a DynamoDB transaction takes 100 items. Who is beyond
 * it in an oversized bucket is taken into the task's row afterwards, with a task alone.
 */
export const mostTogether = 40;

/**
 * How many uuids one payload names: 40 KB of the 1 MiB that SQS takes. What is beyond goes in another payload of the same
 * task.
 */
const mostNamed = 1000;

/**
 * The leading bits of a uuid that choose its task, so that a task has on average 0.5 to 1 times `perTask` of `count`
 * subscriptions. At an average of 20 (the largest setting) one bucket in 100,000 has more than `mostTogether`.
 */
export const bucketBits = (count: number, perTask: number): number =>
  Math.min(mostBits, Math.max(0, Math.ceil(Math.log2(count / perTask))));

const position = (uuid: string): number => Number.parseInt(uuid.slice(0, 8), 16);

/** The bucket of a uuid: its leading bits. */
export const bucketOf = (uuid: string, bits: number): number => Math.floor(position(uuid) / 2 ** (32 - bits));

/** How many subscriptions a topic has, judged by the first `count` of them, of which `last` is the last. */
export const estimateCount = (count: number, last: string): number =>
  Math.ceil((count * keySpace) / (position(last) + 1));

/** The uuids of a segment, as the first and last text of their first eight digits. */
export function uuidRange({ bits, from, to }: Segment): { readonly first: string; readonly last: string } {
  const width = 2 ** (32 - bits);
  const hex = (number: number): string => number.toString(16).padStart(8, '0');
  return { first: hex(from * width), last: `${hex(to * width - 1)}~` };
}

/** The whole of a topic. */
export const wholeTopic = (bits: number): Segment => ({ bits, from: 0, to: 2 ** bits });

/** Cuts the buckets from `from` on into segments of at most `buckets` each. */
export function segmentsFrom(bits: number, from: number, buckets: number): Segment[] {
  const segments: Segment[] = [];
  for (let start = from; start < 2 ** bits; start += buckets) {
    segments.push({ bits, from: start, to: Math.min(start + buckets, 2 ** bits) });
  }
  return segments;
}

/**
 * Groups subscriptions into tasks by the leading bits of their uuid (a hash, so evenly spread). Which task a subscription
 * belongs to depends on nothing but its uuid and `bits`: planned again after others came or went, it is in the same
 * task, whose ledger row knows whether it was served. A task of more than `mostNamed` comes several times, with some of
 * them each.
 */
export function planTasks(
  subscriptions: Iterable<Pick<ActiveSubscription, 'uuid' | 'protocol'>>,
  bits: number,
): PlannedTask[] {
  const tasks = new Map<string, { taskKey: string; protocol: Protocol; subscriptionUuids: string[] }>();
  for (const { uuid, protocol } of subscriptions) {
    const taskKey = bucketTaskKey(protocol, bits, bucketOf(uuid, bits));
    const task = tasks.get(taskKey) ?? { taskKey, protocol, subscriptionUuids: [] };
    task.subscriptionUuids.push(uuid);
    tasks.set(taskKey, task);
  }
  return [...tasks.values()].flatMap((task) =>
    inParts(task.subscriptionUuids, mostNamed).map((subscriptionUuids) => ({ ...task, subscriptionUuids })),
  );
}
