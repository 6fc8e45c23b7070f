import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import { deliverSeveral } from './deliver-several.ts';
import { deliverSingle } from './deliver-single.ts';

/**
 * Delivers one task: reads who is still subscribed, claims it, sends to all of them at once, records how it ended, and
 * sends what failed to wait.
 *
 * Once only: the claim suppresses duplicates that the queue makes. When the process dies between sending and recording,
 * the lease runs out, the queue shows the task again and the receiver gets the message a second time with the same
 * message-id. When it dies between recording and the timer, the task shown again does what follows; and when the queues
 * lose it, the sweeper does.
 * @throws Busy while another copy holds the claim
 */
export const deliverTask = (task: DeliveryTask, context: DeliveryContext): Promise<void> =>
  task.isSingle ? deliverSingle(task, context) : deliverSeveral(task, context);

/** Delivers the tasks of a batch side by side; one result for each, in order. */
export const deliverAll = (
  tasks: readonly DeliveryTask[],
  context: DeliveryContext,
): Promise<PromiseSettledResult<void>[]> => Promise.allSettled(tasks.map((task) => deliverTask(task, context)));
