import type { ComposeSettings } from '../../domain/messages/compose-message.ts';
import type { DeliveryTask, WaitingTask } from '../../model/deliveries/task.ts';
import type { LedgerOutcome } from '../../model/deliveries/outcome.ts';
import type { ledger } from '../../storage/deliveries/ledger.ts';
import type { Sending } from '../../storage/queues/queues.ts';
import type { subscriptions } from '../../storage/subscriptions/subscriptions.ts';
import { coalesce } from './coalesce.ts';
import type { Sender } from './sender.ts';

type Opened<Open extends (...inputs: never[]) => object> = ReturnType<Open>;

interface Queue<Payload> {
  sendMany(sendings: readonly Sending<Payload>[]): Promise<void>;
}

/** What delivering needs: the stores' methods, a sender, a clock, chance. */
export interface DeliveryContext {
  readonly subscriptions: Opened<typeof subscriptions.permissions.deliver>;
  readonly ledger: Opened<typeof ledger.permissions.deliver>;
  readonly retry: Queue<WaitingTask>;
  /** The queue that this sender's tasks come from. */
  readonly queue: Queue<DeliveryTask>;
  readonly sender: Sender;
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
  /** Hears how every single attempt ended, before it is recorded. `attempt`: 0 is the first. */
  readonly onAttempted: (
    messageId: string,
    subscriptionUuid: string,
    attempt: number,
    outcome: Pick<LedgerOutcome, 'class' | 'status' | 'tookMs'>,
  ) => void;
}

export type Given = Pick<DeliveryContext, 'subscriptions' | 'ledger' | 'retry' | 'now' | 'newId' | 'jitter'> & {
  readonly settings: ComposeSettings & {
    readonly hopSeconds: number;
    readonly ledgerDays: number;
    readonly pauseAfterDays: number;
  };
};

const later: DeliveryContext['later'] = (ms, run) => {
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

const dayMs = 24 * 3600 * 1000;

type Own = Pick<DeliveryContext, 'queue' | 'sender' | 'onFailed' | 'onAttempted'> & { readonly leaseSeconds: number };

/** The context of a delivering function, from its tools and settings; `leaseSeconds` as its times say. */
export const deliveryContext = (tools: Given, { leaseSeconds, ...own }: Own): DeliveryContext => ({
  ...own,
  subscriptions: coalescedReads(tools.subscriptions),
  ledger: tools.ledger,
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
