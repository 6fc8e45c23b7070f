import { expect, it } from 'vitest';
import { wantsEvent } from '../../../shared/domain/subscriptions/wants-event.ts';

it.each<[boolean, string[], string, string | undefined, string]>([
  [true, [], 'CR', 'liveBirth', 'no filter'],
  [true, ['liveBirth'], 'CR', 'liveBirth', 'the subject'],
  [true, ['death', 'liveBirth'], 'CR', 'liveBirth', 'the subject and another name'],
  [false, ['death'], 'CR', 'liveBirth', 'another subject'],
  [false, ['livebirth'], 'CR', 'liveBirth', 'the subject in a different case'],
  [true, ['stock low'], 'shop', 'stock low', 'a subject that is not an event type'],
  [false, ['death'], 'CR', undefined, 'an event type, for an event without a subject'],
  [true, ['CR'], 'CR', undefined, 'the topic, for an event without a subject'],
  [false, ['CR'], 'CR', 'liveBirth', 'the topic, for an event with a subject'],
  [true, ['liveBirth'], 'liveBirth', undefined, 'a topic that is named after an event type'],
  [true, ['liveBirth'], 'liveBirth', 'urgent', 'a topic that is named after an event type, for any subject'],
  [true, ['urgent'], 'liveBirth', 'urgent', 'the subject, even if the topic is named after an event type'],
  [false, ['liveBirth'], 'liveBirth', 'death', 'a topic that is named after another event type than the subject'],
])('wantsEvent returns %j: filter %j, topic %s, subject %s (%s)', (expected, subjects, topicName, subject, _what) => {
  expect(wantsEvent({ subjects }, { topicName, subject })).toBe(expected);
});
