import type { LaneQueue } from '../../domain/deliveries/channels.ts';
import type { FanOutPayload } from '../../model/deliveries/fan-out-payload.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { Fault } from '../../model/faults.ts';
import type { ledger } from '../../storage/deliveries/ledger.ts';
import type { journal } from '../../storage/journal/journal.ts';
import type { messages } from '../../storage/messages/store.ts';
import type { Queue } from '../../storage/queues/store.ts';
import type { subscriptions } from '../../storage/subscriptions/subscriptions.ts';

/** What fan-out needs: the stores' methods, the queues, a clock. */
export interface FanOutTools {
  readonly subscriptions: ReturnType<typeof subscriptions.permissions.fanOut>;
  readonly ledger: ReturnType<typeof ledger.permissions.fanOut> & ReturnType<typeof ledger.permissions.open>;
  readonly messages: ReturnType<typeof messages.permissions.deliver>;
  readonly journal: ReturnType<typeof journal.permissions.writeMany>;
  readonly queues: Readonly<Record<LaneQueue<'first' | 'mass'>, Pick<Queue<DeliveryTask>, 'sendMany'>>> & {
    readonly fanOut: Pick<Queue<FanOutPayload>, 'sendMany'>;
  };
  readonly now: () => number;
  readonly settings: {
    readonly subscriptionsPerTask: number;
    readonly ledgerDays: number;
    readonly journalDays: number;
  };
}

/** What the first run of a publication needs: whom it tells of what it goes on without, too. */
export interface FanOutWholeTools extends FanOutTools {
  readonly onFault: (fault: Fault) => void;
}
