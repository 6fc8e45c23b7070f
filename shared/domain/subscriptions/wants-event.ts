import type { CarriedNotification } from '../deliveries/message.ts';
import { eventTypeOf } from '../topics/check-event.ts';
import type { StoredSubscription } from './subscription.ts';

type Event = Pick<CarriedNotification, 'subject' | 'topicName'>;

/**
 * Returns whether the filter is empty or contains the event's subject or type. The type of an event may be the name of
 * its topic.
 */
export function wantsEvent(
  { subjects }: Pick<StoredSubscription, 'subjects'>,
  { subject = '', topicName }: Event,
): boolean {
  if (subjects.length === 0) return true;
  const type = eventTypeOf(subject, topicName) ?? (subject === '' ? topicName : subject);
  return subjects.includes(subject) || subjects.includes(type);
}
