import type { DeliveryTask } from '../../domain/deliveries/task.ts';
import type { Queue } from '../../storage/queues/store.ts';

/** Pause after SES reports that the quota of 24 hours is spent; then one mail is tried. SQS allows no longer delay. */
export const quotaWaitSeconds = 900;

/** What one copy of the function knows about the SES quota of 24 hours. */
export interface MailQuota {
  markSpent(): void;
  isSpent(): boolean;
}

/**
 * Remembers a spent quota in one copy of the function. Other copies learn it from their own mails. `onSpent` is called
 * once per `quotaWaitSeconds`, however many mails were in progress.
 */
export function mailQuota(now: () => number, onSpent: () => void): MailQuota {
  let spentUntil = 0;
  return {
    markSpent() {
      if (now() >= spentUntil) onSpent();
      spentUntil = now() + quotaWaitSeconds * 1000;
    },
    isSpent: () => now() < spentUntil,
  };
}

/** Returns tasks to their lane unchanged, delayed by `quotaWaitSeconds`. None of their mails was started. */
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
