import type { deliveryReads, deliveryUses } from '../contract/workers.ts';
import type { ComposedMessage } from '../domain/deliveries/compose-message.ts';
import type { DeliveryOutcome, Outcome } from '../domain/deliveries/outcome.ts';
import { rowShardOfSubscription } from '../domain/deliveries/shards.ts';
import { Busy, type DeliveryTask } from '../domain/deliveries/task.ts';
import { type DeliveryTimes, deliveryExpiry, recordSeconds } from '../domain/deliveries/times.ts';
import type { StoredSubscription } from '../domain/subscriptions/subscription.ts';
import { timeOfInvocation } from '../lambda/time-left.ts';
import type { Lease, TaskId } from '../storage/deliveries/rows.ts';
import type { Queue } from '../storage/queues/store.ts';
import type { Tools } from './tools.ts';

/** Callbacks during an attempt. Time spent waiting for a socket does not count against the receiver. */
export interface Progress {
  onConnecting(): void;
  onBegun(): void;
}

/** `response`: the readable beginning of an error response, if the deployment keeps responses. */
export type SendResult = Outcome & { readonly response?: string };

/**
 * Sends messages on one channel. A sender returns receiver failures as outcomes, and never throws them. Thrown errors
 * are internal errors, and do not count as attempts.
 */
export interface Sender {
  deliver(message: ComposedMessage, recipient: StoredSubscription, progress?: Progress): Promise<SendResult>;
}

export interface DeliveryTools extends Tools<(typeof deliveryUses)[number], (typeof deliveryReads)[number]> {
  /** Returns a random number from 0 to 1. */
  readonly jitter: () => number;
}

export interface DeliveryContext extends DeliveryTools {
  readonly laterLane: Pick<Queue<DeliveryTask>, 'sendMany'>;
  readonly sender: Sender;
  /** The duration of a lease: longer than the function timeout, but shorter than the queue visibility timeout. */
  readonly leaseMs: number;
  readonly timeLeftMs: () => number;
  /** The minimum remaining time for starting an attempt, including the time to record its outcome. */
  readonly attemptMs: number;
  /** Calls `run` after `ms` milliseconds, unless the returned function cancels the call. */
  readonly afterMs: (ms: number, run: () => void) => () => void;
  readonly onFailed: (
    messageId: string,
    subscriptionUuid: string,
    outcome: Pick<Partial<DeliveryOutcome>, 'status' | 'code'> & {
      readonly class: DeliveryOutcome['class'] | 'paused';
    },
  ) => void;
  /**
   * Called after each attempt is recorded. `attempt` counts from 0. `lagMs` is the time from publication to the first
   * attempt. `lagMs` is undefined for retries, or if the receiver was failing or an internal limit delayed the attempt.
   */
  readonly onAttempted: (
    messageId: string,
    subscriptionUuid: string,
    attempt: number,
    outcome: Pick<DeliveryOutcome, 'class' | 'status' | 'code' | 'at' | 'tookMs'>,
    lagMs?: number,
  ) => void;
}

type Read = DeliveryTools['messages']['getBody'];

// One body cache per store, kept for the lifetime of the process.
const caches = new WeakMap<object, Read>();

function bodiesOf(store: DeliveryTools['messages']): Read {
  const cache = caches.get(store) ?? bodyCache(store.getBody);
  caches.set(store, cache);
  return cache;
}

type LaneOptions = Pick<DeliveryContext, 'laterLane' | 'sender' | 'onFailed' | 'onAttempted'> &
  Pick<DeliveryTimes, 'leaseSeconds' | 'attemptSeconds'>;

/** Creates the context for a function that delivers. `leaseSeconds` and `attemptSeconds` depend on the channel. */
export const deliveryContext = (
  tools: DeliveryTools,
  { leaseSeconds, attemptSeconds, ...lane }: LaneOptions,
): DeliveryContext => ({
  ...tools,
  ...lane,
  subscriptions: coalescedReads(tools.subscriptions),
  messages: { ...tools.messages, getBody: bodiesOf(tools.messages) },
  afterMs(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  leaseMs: leaseSeconds * 1000,
  timeLeftMs: timeOfInvocation(),
  attemptMs: (attemptSeconds + recordSeconds) * 1000,
});

/** Creates the lease that one run of a task acquires. `expiryOf` returns the time at which the task's row expires. */
export function leaseFrom({ now, newId, leaseMs, settings }: DeliveryContext, expiryOf = deliveryExpiry): Lease {
  const at = now();
  return { id: newId(), now: at, leaseUntil: at + leaseMs, expiresAt: expiryOf(at, settings.deliveryDays) };
}

export const taskIdOf = (task: DeliveryTask): TaskId => ({
  messageId: task.content.messageId,
  publishedAt: task.content.timestamp,
  // All subscriptions of a task have the same row shard.
  rowShard: rowShardOfSubscription(task.subscriptionUuids[0] ?? '0', task.shardBits),
  taskKey: task.taskKey,
  attempt: task.attempt,
  protocol: task.protocol,
  isConfirmation: task.content.type === 'SubscriptionConfirmation',
  isProbe: task.isProbe,
});

export const busyError = ({ taskKey, content }: DeliveryTask): Busy =>
  new Busy(`${content.messageId} ${taskKey} is being delivered`);

/**
 * Combines reads that start in the same turn of the event loop into a single read. All tasks in a batch read their
 * subscriptions at the same time, so this does not delay any task. If the combined read fails, it is repeated for each
 * task.
 */
function coalescedReads(subscriptions: DeliveryTools['subscriptions']): DeliveryTools['subscriptions'] {
  const read = (tasks: readonly (readonly string[])[]) => subscriptions.getMany([...new Set(tasks.flat())]);
  let open: { readonly tasks: (readonly string[])[]; readonly found: Promise<StoredSubscription[]> } | undefined;
  const begin = () => {
    const tasks: (readonly string[])[] = [];
    const found = new Promise((resolve) => setTimeout(resolve, 0)).then(() => {
      open = undefined;
      return read(tasks);
    });
    return { tasks, found };
  };
  return {
    ...subscriptions,
    async getMany(uuids) {
      open ??= begin();
      const { tasks, found } = open;
      tasks.push(uuids);
      try {
        const wanted = new Set(uuids);
        return (await found).filter(({ uuid }) => wanted.has(uuid));
      } catch (error) {
        if (tasks.length === 1) throw error;
        return read([uuids]);
      }
    },
  };
}

const mostBytes = 32 * 1024 * 1024;

/** Caches up to 32 MB of long message bodies between invocations. Does not cache missing bodies. */
export function bodyCache(read: Read, most = mostBytes): Read {
  // The least recently used body is the first. The size of a body is 0 until it has been read.
  const kept = new Map<string, { readonly body: ReturnType<Read>; size: number }>();

  /** Removes the least recently used bodies, except the body with this key, until the rest fits. */
  function shrink(newest: string): void {
    let bytes = [...kept.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [bodyKey, { size }] of kept) {
      if (bytes <= most) return;
      if (size === 0 || bodyKey === newest) continue;
      kept.delete(bodyKey);
      bytes -= size;
    }
  }

  async function readOnce(bodyKey: string): ReturnType<Read> {
    let body: Awaited<ReturnType<Read>>;
    try {
      body = await read(bodyKey);
      return body;
    } finally {
      const own = kept.get(bodyKey);
      if (body === undefined) kept.delete(bodyKey);
      else if (own !== undefined) own.size = body.length;
      shrink(bodyKey);
    }
  }

  return (bodyKey) => {
    const one = kept.get(bodyKey) ?? { body: readOnce(bodyKey), size: 0 };
    // Move the body to the end of the cache, so that it is evicted last.
    kept.delete(bodyKey);
    kept.set(bodyKey, one);
    return one.body;
  };
}
