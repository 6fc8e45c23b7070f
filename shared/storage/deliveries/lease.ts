import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { Item } from '../dynamo.ts';
import type { Times } from './outcomes.ts';

/**
 * A claim by one run: it runs out at `leaseUntil`, and the row is kept until `expiresAt` (epoch seconds; the others are
 * milliseconds). By its `id` a repeat of our own write, whose first answer was lost, is known from another's.
 */
export interface Lease extends Times {
  readonly id: string;
  readonly leaseUntil: number;
}

/** What names a task in the ledger. */
export type LedgerTask = Pick<DeliveryTask, 'taskKey' | 'attempt' | 'protocol'> & {
  readonly messageId: string;
  /** Where its row lies, and those of its subscriptions: `sliceOf`. */
  readonly slice: number;
  /** Its content cannot be read from the ledger: the token is stored nowhere. */
  readonly isConfirmation?: boolean;
};

/** The row says what we wrote: DynamoDB took our write, and its answer was lost on the way. */
export const isOurs = (stored: Item | undefined, lease: Lease): boolean =>
  stored?.leaseId?.S === lease.id && stored.state?.S !== 'claimed';
