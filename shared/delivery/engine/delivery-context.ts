import type { ComposeSettings } from '../../domain/messages/compose-message.ts';
import type { DeliveryTask, WaitingTask } from '../../model/deliveries/message.ts';
import type { LedgerOutcome } from '../../model/deliveries/outcome.ts';
import type { deliveries } from '../../storage/deliveries/ledger.ts';
import type { Sending } from '../../storage/queues/queues.ts';
import type { subscriptions } from '../../storage/subscriptions/subscriptions.ts';
import { gather } from './coalesce.ts';
import type { Channel } from './sender.ts';

type Opened<Open extends (...inputs: never[]) => object> = ReturnType<Open>;

interface Queue<Job> {
  sendMany(sendings: readonly Sending<Job>[]): Promise<void>;
}

/** What delivering needs: the stores' methods, a channel, a clock, chance. */
export interface Engine {
  readonly subscriptions: Opened<typeof subscriptions.permissions.deliver>;
  readonly deliveries: Opened<typeof deliveries.permissions.deliver>;
  readonly retry: Queue<WaitingTask>;
  /** The queue that this channel's tasks come from. */
  readonly queue: Queue<DeliveryTask>;
  readonly channel: Channel;
  readonly now: () => number;
  readonly newId: () => string;
  /** From 0 to 1. */
  readonly jitter: () => number;
  readonly compose: ComposeSettings;
  /** Bodies of long messages, read once in an invocation. */
  readonly bodies: Map<string, Promise<string | undefined>>;
  /** Longer than the function may run, shorter than the queue hides a message. */
  readonly leaseMs: number;
  readonly ledgerMs: number;
  /** Runs something later, unless the answered function is called first. */
  readonly later: (ms: number, run: () => void) => () => void;
  readonly hopSeconds: number;
  readonly pauseAfterMs: number;
  /** Hears of every delivery that has failed for good: by its last outcome, or because its subscription is paused. */
  readonly onFailed: (
    messageId: string,
    subscriptionUuid: string,
    outcome: { readonly class: LedgerOutcome['class'] | 'paused'; readonly status?: number | undefined },
  ) => void;
}

export type Given = Pick<Engine, 'subscriptions' | 'deliveries' | 'retry' | 'now' | 'newId' | 'jitter'> & {
  readonly settings: ComposeSettings & {
    readonly hopSeconds: number;
    readonly ledgerDays: number;
    readonly pauseAfterDays: number;
  };
};

const later: Engine['later'] = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

function gatheringReads(subscriptions: Engine['subscriptions']): Engine['subscriptions'] {
  // The tasks of a batch begin together: nobody waits.
  const readTogether = gather((uuids: readonly string[]) => subscriptions.getMany([...new Set(uuids)]));
  return {
    ...subscriptions,
    async getMany(uuids) {
      const wanted = new Set(uuids);
      return (await readTogether(uuids)).filter(({ uuid }) => wanted.has(uuid));
    },
  };
}

const dayMs = 24 * 3600 * 1000;

type Own = Pick<Engine, 'queue' | 'channel' | 'onFailed'> & { readonly leaseSeconds: number };

/** The engine of a delivering function, from its tools and settings; `leaseSeconds` as its times say. */
export const engineOf = (tools: Given, { leaseSeconds, ...own }: Own): Engine => ({
  ...own,
  subscriptions: gatheringReads(tools.subscriptions),
  deliveries: tools.deliveries,
  retry: tools.retry,
  now: tools.now,
  newId: tools.newId,
  jitter: tools.jitter,
  later,
  compose: tools.settings,
  bodies: new Map(),
  leaseMs: leaseSeconds * 1000,
  ledgerMs: tools.settings.ledgerDays * dayMs,
  hopSeconds: tools.settings.hopSeconds,
  pauseAfterMs: tools.settings.pauseAfterDays * dayMs,
});
