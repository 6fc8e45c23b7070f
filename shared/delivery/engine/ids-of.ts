import { sliceOf } from '../../domain/deliveries/slice.ts';
import { Busy } from '../../model/deliveries/busy.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { LedgerTask } from '../../storage/deliveries/lease.ts';

/** What names a task in the ledger. */
export const idsOf = ({ taskKey, attempt, protocol, content, bits, subscriptionUuids }: DeliveryTask): LedgerTask => ({
  messageId: content.messageId,
  // Those of a task have one bucket.
  slice: sliceOf(subscriptionUuids[0] ?? '0', bits),
  taskKey,
  attempt,
  protocol,
  isConfirmation: content.type === 'SubscriptionConfirmation',
});

/** What is thrown while another copy works on a task. */
export const busyWith = ({ taskKey, content }: DeliveryTask): Busy =>
  new Busy(`${content.messageId} ${taskKey} is being delivered`);
