import type { Content } from '../deliveries/message.ts';
import { type DeliveryTask, singleTask } from '../deliveries/task.ts';
import { isoTime } from '../time.ts';
import type { ConfirmationRequest, StoredSubscription } from './subscription.ts';

/** Creates the task that sends a confirmation request. The task contains the only copy of the token. */
export const confirmationTask = (
  subscription: StoredSubscription,
  token: string,
  { messageId, requestedAt }: ConfirmationRequest,
): DeliveryTask => {
  const content: Content = {
    type: 'SubscriptionConfirmation',
    messageId,
    topicUuid: subscription.topicUuid,
    topicName: subscription.topicName,
    topicTitle: subscription.topicTitle,
    token,
    timestamp: isoTime(requestedAt),
  };
  return singleTask({ protocol: subscription.protocol, content, shardBits: 0 }, subscription.uuid, 0);
};
