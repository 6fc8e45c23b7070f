import type { DeliveryTask } from '../../model/deliveries/task.ts';
import { ownTaskKey } from './task-key.ts';

/** A subscription's own task: an attempt at it alone, with a row of its own in the ledger. */
export const ownTask = (
  { protocol, content, bits }: Pick<DeliveryTask, 'protocol' | 'content' | 'bits'>,
  subscriptionUuid: string,
  attempt: number,
): DeliveryTask => ({
  taskKey: ownTaskKey(subscriptionUuid),
  protocol,
  isSingle: true,
  attempt,
  bits,
  subscriptionUuids: [subscriptionUuid],
  content,
});
