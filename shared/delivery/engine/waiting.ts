import { nextHop } from '../../domain/deliveries/hop.ts';
import type { DeliveryTask, WaitingTask } from '../../model/deliveries/task.ts';
import type { Sending } from '../../storage/queues/store.ts';
import type { DeliveryContext } from '../delivery-context.ts';

/** A subscription's own task on its way into the retry queue, on the first hop towards `notBefore` (epoch milliseconds). */
export function waitingUntil(
  notBefore: number,
  uuid: string,
  task: DeliveryTask,
  { now, hopSeconds }: Pick<DeliveryContext, 'now' | 'hopSeconds'>,
): Sending<WaitingTask> {
  const hop = nextHop(notBefore, now(), hopSeconds);
  return { group: uuid, payload: { notBefore, task }, delaySeconds: hop.isDue ? 0 : hop.delaySeconds };
}
