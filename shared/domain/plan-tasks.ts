import type { Protocol } from '../model/subscription.ts';

export interface ActiveSubscription {
  readonly uuid: string;
  readonly protocol: Protocol;
}

export interface PlannedTask {
  readonly taskKey: string;
  readonly protocol: Protocol;
  readonly subscriptionUuids: readonly string[];
}

/** How many leading bits of a subscription's uuid choose its task, so that a task has about `perTask` of `count`. */
export const bucketBits = (count: number, perTask: number): number =>
  Math.min(24, Math.max(0, Math.ceil(Math.log2(count / perTask))));

const bucketOf = (uuid: string, bits: number): number =>
  bits === 0 ? 0 : Number.parseInt(uuid.slice(0, 8), 16) >>> (32 - bits);

/**
 * Groups subscriptions into tasks by the leading bits of their uuid (a hash, so evenly spread). Which task a subscription
 * belongs to depends on nothing but its uuid and `bits`: planned again after others came or went, it is in the same
 * task, whose ledger row knows whether it was served.
 */
export function planTasks(subscriptions: Iterable<ActiveSubscription>, bits: number): PlannedTask[] {
  const tasks = new Map<string, { taskKey: string; protocol: Protocol; subscriptionUuids: string[] }>();
  for (const { uuid, protocol } of subscriptions) {
    const taskKey = `${protocol}#${bits}#${bucketOf(uuid, bits)}`;
    const task = tasks.get(taskKey) ?? { taskKey, protocol, subscriptionUuids: [] };
    task.subscriptionUuids.push(uuid);
    tasks.set(taskKey, task);
  }
  return [...tasks.values()];
}
