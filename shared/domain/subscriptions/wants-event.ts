import type { ReferredNotification } from '../deliveries/message.ts';
import { eventTypeOf } from '../topics/check-event.ts';
import type { StoredSubscription } from './subscription.ts';

type Event = Pick<ReferredNotification, 'subject' | 'topicName'>;

/**
 * Whether a subscription's filter lets an event through: it names the publisher's subject or the event's type, which is
 * the topic's name where there is no subject. No filter lets all through.
 */
export function wantsEvent(
  { subjects }: Pick<StoredSubscription, 'subjects'>,
  { subject = '', topicName }: Event,
): boolean {
  if (subjects.length === 0) return true;
  const type = eventTypeOf(subject, topicName) ?? (subject === '' ? topicName : subject);
  return subjects.includes(subject) || subjects.includes(type);
}
