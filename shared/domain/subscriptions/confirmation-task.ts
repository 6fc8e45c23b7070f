import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { StoredSubscription } from '../../model/subscriptions/subscription.ts';

/** The task that asks a subscription's address to confirm. It carries the token, which is stored nowhere else. */
export const confirmationTask = (
  subscription: StoredSubscription,
  token: string,
  messageId: string,
  now: number,
): DeliveryTask => ({
  taskKey: `one#${subscription.uuid}`,
  protocol: subscription.protocol,
  isSingle: true,
  attempt: 0,
  subscriptionUuids: [subscription.uuid],
  content: {
    type: 'SubscriptionConfirmation',
    messageId,
    topicUuid: subscription.topicUuid,
    topicName: subscription.topicName,
    token,
    timestamp: new Date(now).toISOString(),
  },
});
