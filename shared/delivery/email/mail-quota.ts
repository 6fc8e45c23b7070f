import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { Queue } from '../../storage/queues/store.ts';

/** How long mails wait when SES has said that those of 24 hours are spent; then one is tried. SQS delays no longer. */
export const quotaWaitSeconds = 900;

/** What a copy of the function knows of the mails that SES allows in 24 hours. */
export interface MailQuota {
  /** Nothing is sent for `quotaWaitSeconds` from now. */
  spend(): void;
  isSpent(): boolean;
}

/**
 * The knowledge of a copy, as long as it lives. Another copy learns it from its own first mail. `onSpent` hears of it once in
 * `quotaWaitSeconds`, however many mails were under way.
 */
export function mailQuota(now: () => number, onSpent: () => void): MailQuota {
  let spentUntil = 0;
  return {
    spend() {
      if (now() >= spentUntil) onSpent();
      spentUntil = now() + quotaWaitSeconds * 1000;
    },
    isSpent: () => now() < spentUntil,
  };
}

/** Puts tasks back into their lane, as they came, for as long as the quota is taken for spent: no mail of theirs is begun. */
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
