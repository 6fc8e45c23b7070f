import type { StoredSubscription } from '../subscriptions/subscription.ts';
import { isoTime } from '../time.ts';
import type { Content } from './message.ts';
import { type DeliveryTask, singleTask } from './task.ts';

// No event type has the fields of a test event, so receivers do not mistake a test event for a real event.
const body = {
  source: 'test',
  message: 'This is a test event: nothing has happened.',
};

/** Creates the task that sends a test event to one subscription. `now` is epoch milliseconds. */
export function testEvent(subscription: StoredSubscription, messageId: string, now: number): DeliveryTask {
  const { uuid, protocol, topicUuid, topicName, topicTitle, generation } = subscription;
  const content: Content = {
    type: 'Notification',
    messageId,
    topicUuid,
    topicName,
    topicTitle,
    generation,
    subject: 'test',
    contentType: 'application/json',
    bodyBase64: Buffer.from(JSON.stringify(body)).toString('base64'),
    timestamp: isoTime(now),
    isTest: true,
  };
  return singleTask({ protocol, content, shardBits: 0 }, uuid, 0);
}
