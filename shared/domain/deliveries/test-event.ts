import type { DeliveryTask } from '../../model/deliveries/task.ts';
import { isoTime } from '../iso-time.ts';
import type { StoredSubscription } from '../subscriptions/subscription.ts';
import type { Content } from './message.ts';
import { ownTask } from './own-task.ts';

// No field that a type of event has, so that nobody takes it for one.
const body = {
  source: 'test',
  message: 'This is a test event, which nobody has published: nothing has happened.',
};

/** The task that sends a test event to one subscription, made at `now` (epoch milliseconds). Its subject is `test`. */
export function testEvent(subscription: StoredSubscription, messageId: string, now: number): DeliveryTask {
  const { uuid, protocol, topicUuid, topicName, generation } = subscription;
  const content: Content = {
    type: 'Notification',
    messageId,
    topicUuid,
    topicName,
    generation,
    subject: 'test',
    contentType: 'application/json',
    bodyBase64: Buffer.from(JSON.stringify(body)).toString('base64'),
    timestamp: isoTime(now),
    isTest: true,
  };
  return ownTask({ protocol, content, bits: 0 }, uuid, 0);
}
