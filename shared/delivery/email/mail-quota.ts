import type { DeliveryTask } from '../../domain/deliveries/task.ts';
import type { Queue } from '../../storage/queues/store.ts';

/** The pause after SES reports that the 24-hour quota is used up. SQS does not allow a longer delay. */
export const quotaWaitSeconds = 900;

/**
 * Remembers in one function instance that the 24-hour SES quota is used up. Other instances detect this when they send
 * emails. `onSpent` is called at most once per `quotaWaitSeconds`, regardless of how many emails are being sent.
 */
export function mailQuota(now: () => number, onSpent: () => void) {
  let spentUntil = 0;
  return {
    markSpent(): void {
      if (now() >= spentUntil) onSpent();
      spentUntil = now() + quotaWaitSeconds * 1000;
    },
    isSpent: (): boolean => now() < spentUntil,
  };
}

/**
 * Sends unchanged tasks back to their lane with a delay of `quotaWaitSeconds`. Call this function before any of their
 * emails is sent.
 */
export const waitForQuota = (
  tasks: readonly DeliveryTask[],
  lane: Pick<Queue<DeliveryTask>, 'sendMany'>,
): Promise<PromiseSettledResult<void>[]> => {
  const back = lane.sendMany(
    tasks.map((task) => ({
      payload: task,
      group: task.isSingle ? (task.subscriptionUuids[0] ?? task.taskKey) : task.content.topicUuid,
      delaySeconds: quotaWaitSeconds,
    })),
  );
  return Promise.allSettled(tasks.map(() => back));
};
