import { expect, it } from 'vitest';
import { wantsEvent } from '../../../shared/domain/subscriptions/wants-event.ts';

it.each<[boolean, string[], string, string | undefined, string]>([
  [true, [], 'CR', 'liveBirth', 'there is no filter'],
  [true, ['liveBirth'], 'CR', 'liveBirth', 'the filter contains the subject'],
  [true, ['death', 'liveBirth'], 'CR', 'liveBirth', 'the filter contains the subject and another name'],
  [false, ['death'], 'CR', 'liveBirth', 'the filter contains another subject'],
  [false, ['livebirth'], 'CR', 'liveBirth', 'the filter contains the subject in a different case'],
  [true, ['stock low'], 'shop', 'stock low', 'the filter contains a subject that is not an event type'],
  [false, ['death'], 'CR', undefined, 'the filter contains an event type, but the event has no subject'],
  [true, ['CR'], 'CR', undefined, 'the filter contains the topic, and the event has no subject'],
  [false, ['CR'], 'CR', 'liveBirth', 'the filter contains the topic, but the event has a subject'],
  [true, ['liveBirth'], 'liveBirth', undefined, 'the filter contains the topic, and the topic is an event type'],
  [true, ['liveBirth'], 'liveBirth', 'urgent', 'the filter contains the topic, and the topic is an event type'],
  [true, ['urgent'], 'liveBirth', 'urgent', 'the filter contains the subject, and the topic is an event type'],
  [false, ['liveBirth'], 'liveBirth', 'death', 'the filter contains the topic, but the subject is another event type'],
])('wantsEvent returns %j: filter %j, topic %s, subject %s (%s)', (expected, subjects, topicName, subject, _what) => {
  expect(wantsEvent({ subjects }, { topicName, subject })).toBe(expected);
});
