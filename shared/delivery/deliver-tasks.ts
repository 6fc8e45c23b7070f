import type { DeliveryTask } from '../domain/deliveries/task.ts';
import { deliverBatch } from './batch/deliver-batch.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { deliverSingle } from './single/deliver-single.ts';

/**
 * Delivers a task: reads the subscriptions, acquires the lease, sends the messages, records the outcomes, and schedules
 * retries. The lease prevents duplicate deliveries if the queue repeats the task. If the process stops between sending
 * and recording, the receiver gets the message again with the same message-id. If the process stops after recording,
 * the repeated task or the sweeper runs the after-effects.
 * @throws Busy while another run holds the lease
 */
export const deliverTask = (task: DeliveryTask, context: DeliveryContext): Promise<void> =>
  task.isSingle ? deliverSingle(task, context) : deliverBatch(task, context);

/** Delivers tasks in parallel. Returns one result for each task, in order. */
export const deliverAll = (
  tasks: readonly DeliveryTask[],
  context: DeliveryContext,
): Promise<PromiseSettledResult<void>[]> => Promise.allSettled(tasks.map((task) => deliverTask(task, context)));
