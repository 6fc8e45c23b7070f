import { assessHealth } from '../../domain/deliveries/health.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { hashToken } from '../../domain/subscriptions/subscription-token.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { Outcomes } from '../../storage/deliveries/outcomes.ts';
import type { DeliveryContext } from '../delivery-context.ts';

/** Notes what the subscriptions' rows must learn, and reports what has failed for good. */
export async function noteHealth(
  task: DeliveryTask,
  subscriptions: readonly StoredSubscription[],
  outcomes: Outcomes,
  context: DeliveryContext,
): Promise<void> {
  const { content } = task;
  const notes = subscriptions.map(async (subscription) => {
    const outcome = outcomes[subscription.uuid];
    if (outcome === undefined) return;
    if (outcome.next === 'failed') context.onFailed(content.messageId, subscription.uuid, outcome);
    if (content.type === 'SubscriptionConfirmation') {
      if (outcome.next !== 'failed') return;
      await context.subscriptions.confirmationFailed(subscription.uuid, hashToken(content.token));
      return;
    }
    if (content.isTest) {
      const { class: kind, status, at } = outcome;
      const lastTest = { messageId: content.messageId, class: kind, status, at };
      await context.subscriptions.noteHealth(subscription, { lastTest });
      return;
    }
    const change = assessHealth(subscription, outcome, context.pauseAfterMs);
    if (change) await context.subscriptions.noteHealth(subscription, change);
  });
  await Promise.all(notes);
}
