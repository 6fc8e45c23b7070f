import { dayMs } from '../domain/day-ms.ts';
import type { ComposeSettings } from '../domain/deliveries/compose-message.ts';
import { type DeliveryTimes, ledgerExpiry, recordSeconds } from '../domain/deliveries/times.ts';
import { timeOfInvocation } from '../lambda/time-left.ts';
import type { LedgerOutcome } from '../model/deliveries/outcome.ts';
import type { DeliveryTask, WaitingTask } from '../model/deliveries/task.ts';
import type { Lease } from '../storage/deliveries/lease.ts';
import type { ledger } from '../storage/deliveries/ledger.ts';
import type { messages } from '../storage/messages/store.ts';
import type { Queue } from '../storage/queues/store.ts';
import type { subscriptions } from '../storage/subscriptions/subscriptions.ts';
import { coalesce } from './engine/coalesce.ts';
import type { Sender } from './engine/sender.ts';
import { bodyCache } from './shared-reads.ts';

/** What delivering needs: the stores' methods, a sender, a clock, chance. */
export interface DeliveryContext {
  readonly subscriptions: ReturnType<typeof subscriptions.permissions.deliver>;
  readonly ledger: ReturnType<typeof ledger.permissions.deliver>;
  /** Where retries wait. */
  readonly retry: Pick<Queue<WaitingTask>, 'sendMany'>;
  /** The queue of its channel's later lane, for what is tried alone. */
  readonly laterLane: Pick<Queue<DeliveryTask>, 'sendMany'>;
  readonly sender: Sender;
  readonly now: () => number;
  readonly newId: () => string;
  /** From 0 to 1. */
  readonly jitter: () => number;
  readonly compose: ComposeSettings;
  /** The body of a long message, by its key; undefined where it has expired. */
  readonly bodyOf: (bodyKey: string) => Promise<string | undefined>;
  readonly messages: Pick<ReturnType<typeof messages.permissions.deliver>, 'putBody'>;
  /** Longer than the function may run, shorter than the queue hides a message. */
  readonly leaseMs: number;
  readonly ledgerDays: number;
  /** Until this function is stopped, milliseconds. */
  readonly timeLeftMs: () => number;
  /** What an attempt and its record may take: where less is left, none begins. */
  readonly attemptMs: number;
  /** Runs something after so many milliseconds, unless the answered function is called first. */
  readonly afterMs: (ms: number, run: () => void) => () => void;
  readonly hopSeconds: number;
  readonly pauseAfterMs: number;
  /** Hears of every delivery that has failed for good: by its last outcome, or because its subscription is paused. */
  readonly onFailed: (
    messageId: string,
    subscriptionUuid: string,
    outcome: { readonly class: LedgerOutcome['class'] | 'paused'; readonly status?: number | undefined },
  ) => void;
  /**
   * Hears how every single attempt ended, after it was recorded. `attempt`: 0 is the first. `lagMs`: from the publication to the
   * beginning of an event's first attempt, where neither the receiver's failing nor a limit of ours came between.
   */
  readonly onAttempted: (
    messageId: string,
    subscriptionUuid: string,
    attempt: number,
    outcome: Pick<LedgerOutcome, 'class' | 'status' | 'tookMs'>,
    lagMs?: number,
  ) => void;
}

/** What a delivering function's tools and settings give. */
export type DeliveryTools = Pick<DeliveryContext, 'subscriptions' | 'ledger' | 'now' | 'newId' | 'jitter'> & {
  readonly messages: ReturnType<typeof messages.permissions.deliver>;
  readonly queues: { readonly retry: DeliveryContext['retry'] };
  readonly settings: ComposeSettings & {
    readonly hopSeconds: number;
    readonly ledgerDays: number;
    readonly pauseAfterDays: number;
  };
};

// A function's stores live as long as its process: so do the bodies that it has read.
const caches = new WeakMap<object, DeliveryContext['bodyOf']>();

function bodiesOf(store: DeliveryTools['messages']): DeliveryContext['bodyOf'] {
  const cache = caches.get(store) ?? bodyCache(store.bodyOf);
  caches.set(store, cache);
  return cache;
}

const afterMs: DeliveryContext['afterMs'] = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

function coalescedReads(subscriptions: DeliveryContext['subscriptions']): DeliveryContext['subscriptions'] {
  // The tasks of a batch begin together: nobody waits.
  const readTogether = coalesce((uuids: readonly string[]) => subscriptions.getMany([...new Set(uuids)]));
  return {
    ...subscriptions,
    async getMany(uuids) {
      const wanted = new Set(uuids);
      return (await readTogether(uuids)).filter(({ uuid }) => wanted.has(uuid));
    },
  };
}

type Own = Pick<DeliveryContext, 'laterLane' | 'sender' | 'onFailed' | 'onAttempted'> &
  Pick<DeliveryTimes, 'leaseSeconds' | 'attemptSeconds'>;

/**
 * The context of a delivering function, from its tools and settings; `leaseSeconds` and `attemptSeconds` as its channel's
 * times say.
 */
export const deliveryContext = (
  tools: DeliveryTools,
  { laterLane, sender, onFailed, onAttempted, leaseSeconds, attemptSeconds }: Own,
): DeliveryContext => ({
  laterLane,
  sender,
  onFailed,
  onAttempted,
  subscriptions: coalescedReads(tools.subscriptions),
  ledger: tools.ledger,
  retry: tools.queues.retry,
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
  ledgerDays: tools.settings.ledgerDays,
  hopSeconds: tools.settings.hopSeconds,
  pauseAfterMs: tools.settings.pauseAfterDays * dayMs,
});

/** A new lease of a run on a task. */
export function leaseFrom({ now, newId, leaseMs, ledgerDays }: DeliveryContext): Lease {
  const at = now();
  return { id: newId(), now: at, leaseUntil: at + leaseMs, expiresAt: ledgerExpiry(at, ledgerDays) };
}
