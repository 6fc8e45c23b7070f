import type { ComposeSettings } from '../domain/deliveries/compose-message.ts';
import type { DeliveryOutcome } from '../domain/deliveries/outcome.ts';
import type { ParkingPayload } from '../domain/deliveries/parking.ts';
import type { DeliveryTask, WaitingTask } from '../domain/deliveries/task.ts';
import { type DeliveryTimes, deliveryExpiry, recordSeconds } from '../domain/deliveries/times.ts';
import { dayMs } from '../domain/time.ts';
import { timeOfInvocation } from '../lambda/time-left.ts';
import type { Lease } from '../storage/deliveries/rows.ts';
import type { deliveries } from '../storage/deliveries/store.ts';
import type { messages } from '../storage/messages/store.ts';
import type { Queue } from '../storage/queues/store.ts';
import type { subscriptions } from '../storage/subscriptions/store.ts';
import type { Sender } from './sender.ts';

export interface DeliveryContext {
  readonly subscriptions: ReturnType<typeof subscriptions.permissions.deliver>;
  readonly deliveries: ReturnType<typeof deliveries.permissions.deliver>;
  readonly retry: Pick<Queue<WaitingTask>, 'sendMany'>;
  readonly laterLane: Pick<Queue<DeliveryTask>, 'sendMany'>;
  readonly fanOut: Pick<Queue<ParkingPayload>, 'send'>;
  readonly sender: Sender;
  readonly now: () => number;
  readonly newId: () => string;
  /** Returns a random number from 0 to 1. */
  readonly jitter: () => number;
  readonly compose: ComposeSettings;
  /** Returns undefined if the body has expired. */
  readonly bodyOf: (bodyKey: string) => Promise<string | undefined>;
  readonly messages: Pick<ReturnType<typeof messages.permissions.readWrite>, 'putBody'>;
  /** The duration of a lease: longer than the function timeout, but shorter than the queue visibility timeout. */
  readonly leaseMs: number;
  readonly deliveryDays: number;
  readonly timeLeftMs: () => number;
  /** The minimum remaining time for starting an attempt, including the time to record its outcome. */
  readonly attemptMs: number;
  /** Calls `run` after `ms` milliseconds, unless the returned function cancels the call. */
  readonly afterMs: (ms: number, run: () => void) => () => void;
  readonly pauseAfterMs: number;
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

export type DeliveryTools = Pick<DeliveryContext, 'subscriptions' | 'deliveries' | 'now' | 'newId' | 'jitter'> & {
  readonly messages: ReturnType<typeof messages.permissions.readWrite>;
  readonly queues: { readonly retry: DeliveryContext['retry']; readonly fanOut: DeliveryContext['fanOut'] };
  readonly settings: ComposeSettings & {
    readonly deliveryDays: number;
    readonly pauseAfterDays: number;
  };
};

// One body cache per store, kept for the lifetime of the process.
const caches = new WeakMap<object, DeliveryContext['bodyOf']>();

function bodiesOf(store: DeliveryTools['messages']): DeliveryContext['bodyOf'] {
  const cache = caches.get(store) ?? bodyCache(store.getBody);
  caches.set(store, cache);
  return cache;
}

const afterMs: DeliveryContext['afterMs'] = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

function coalescedReads(subscriptions: DeliveryContext['subscriptions']): DeliveryContext['subscriptions'] {
  // All tasks in a batch read their subscriptions at the same time, so combining the reads does not delay any task.
  const readTogether = coalesce((uuids: readonly string[]) => subscriptions.getMany([...new Set(uuids)]));
  return {
    ...subscriptions,
    async getMany(uuids) {
      const wanted = new Set(uuids);
      return (await readTogether(uuids)).filter(({ uuid }) => wanted.has(uuid));
    },
  };
}

type LaneOptions = Pick<DeliveryContext, 'laterLane' | 'sender' | 'onFailed' | 'onAttempted'> &
  Pick<DeliveryTimes, 'leaseSeconds' | 'attemptSeconds'>;

/** Creates the context for a function that delivers. `leaseSeconds` and `attemptSeconds` depend on the channel. */
export const deliveryContext = (
  tools: DeliveryTools,
  { laterLane, sender, onFailed, onAttempted, leaseSeconds, attemptSeconds }: LaneOptions,
): DeliveryContext => ({
  laterLane,
  sender,
  onFailed,
  onAttempted,
  subscriptions: coalescedReads(tools.subscriptions),
  deliveries: tools.deliveries,
  retry: tools.queues.retry,
  fanOut: tools.queues.fanOut,
  now: tools.now,
  newId: tools.newId,
  jitter: tools.jitter,
  afterMs,
  compose: tools.settings,
  bodyOf: bodiesOf(tools.messages),
  messages: tools.messages,
  leaseMs: leaseSeconds * 1000,
  timeLeftMs: timeOfInvocation(),
  attemptMs: (attemptSeconds + recordSeconds) * 1000,
  deliveryDays: tools.settings.deliveryDays,
  pauseAfterMs: tools.settings.pauseAfterDays * dayMs,
});

/** Creates the lease that one run of a task acquires. */
export function leaseFrom({ now, newId, leaseMs, deliveryDays }: DeliveryContext): Lease {
  const at = now();
  return { id: newId(), now: at, leaseUntil: at + leaseMs, expiresAt: deliveryExpiry(at, deliveryDays) };
}

/**
 * Combines calls made in the same turn of the event loop into a single call to `run`. Each caller receives the complete
 * result of the combined call. If the combined call fails, `run` is called once more for each caller, so it must be
 * safe to repeat.
 */
function coalesce<Item, Answer>(
  run: (items: readonly Item[]) => Promise<Answer>,
): (items: readonly Item[]) => Promise<Answer> {
  let open: { readonly calls: (readonly Item[])[]; readonly answer: Promise<Answer> } | undefined;
  const begin = () => {
    const calls: (readonly Item[])[] = [];
    const answer = new Promise<Answer>((resolve) => {
      setTimeout(() => {
        open = undefined;
        resolve(run(calls.flat()));
      }, 0);
    });
    return { calls, answer };
  };
  return async (items) => {
    open ??= begin();
    const { calls, answer } = open;
    calls.push(items);
    try {
      return await answer;
    } catch (error) {
      if (calls.length === 1) throw error;
      return run(items);
    }
  };
}

const mostBytes = 32 * 1024 * 1024;

type Read = (bodyKey: string) => Promise<string | undefined>;

/** Caches up to 32 MB of long message bodies between invocations. Does not cache missing bodies. */
export function bodyCache(read: Read, most = mostBytes): Read {
  const kept = new Map<string, Promise<string | undefined>>();
  const sizes = new Map<string, number>();
  let bytes = 0;

  function forget(bodyKey: string): void {
    bytes -= sizes.get(bodyKey) ?? 0;
    sizes.delete(bodyKey);
    kept.delete(bodyKey);
  }

  async function readOnce(bodyKey: string): Promise<string | undefined> {
    try {
      const body = await read(bodyKey);
      if (body === undefined) forget(bodyKey);
      else {
        sizes.set(bodyKey, body.length);
        bytes += body.length;
      }
      for (const oldest of [...sizes.keys()]) if (bytes > most && oldest !== bodyKey) forget(oldest);
      return body;
    } catch (error) {
      forget(bodyKey);
      throw error;
    }
  }

  return (bodyKey) => {
    const reading = kept.get(bodyKey) ?? readOnce(bodyKey);
    // Move the body to the end of the cache, so that it is evicted last.
    kept.delete(bodyKey);
    kept.set(bodyKey, reading);
    const size = sizes.get(bodyKey);
    if (size !== undefined) {
      sizes.delete(bodyKey);
      sizes.set(bodyKey, size);
    }
    return reading;
  };
}
