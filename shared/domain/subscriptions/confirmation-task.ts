import type { DeliveryTask } from '../../model/deliveries/task.ts';
import type { Content } from '../deliveries/message.ts';
import { ownTask } from '../deliveries/own-task.ts';
import { isoTime } from '../iso-time.ts';
import type { ConfirmationRequest, StoredSubscription } from './subscription.ts';

/** The task that asks a subscription's address to confirm. It carries the token, which is stored nowhere else. */
export const confirmationTask = (
  subscription: StoredSubscription,
  token: string,
  { messageId, askedAt }: ConfirmationRequest,
): DeliveryTask => {
  const content: Content = {
    type: 'SubscriptionConfirmation',
    messageId,
    topicUuid: subscription.topicUuid,
    topicName: subscription.topicName,
    token,
    timestamp: isoTime(askedAt),
  };
  return ownTask({ protocol: subscription.protocol, content, bits: 0 }, subscription.uuid, 0);
};
