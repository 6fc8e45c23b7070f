import { expect, it } from 'vitest';
import { wantsEvent } from '../../../shared/domain/subscriptions/wants-event.ts';

it.each<[boolean, string[], string, string | undefined, string]>([
  [true, [], 'CR', 'liveBirth', 'no filter'],
  [true, ['liveBirth'], 'CR', 'liveBirth', 'the subject'],
  [true, ['death', 'liveBirth'], 'CR', 'liveBirth', 'the subject, among others'],
  [false, ['death'], 'CR', 'liveBirth', 'another subject'],
  [false, ['livebirth'], 'CR', 'liveBirth', 'the subject in other letters'],
  [true, ['stock low'], 'shop', 'stock low', 'a subject that is no event type'],
  [false, ['death'], 'CR', undefined, 'a type, for an event without a subject'],
  [true, ['CR'], 'CR', undefined, 'the topic, for an event without a subject'],
  [false, ['CR'], 'CR', 'liveBirth', 'the topic, for an event with a subject'],
  [true, ['liveBirth'], 'liveBirth', undefined, 'the topic that is a type'],
  [true, ['liveBirth'], 'liveBirth', 'urgent', 'the topic that is a type, despite a subject'],
  [true, ['urgent'], 'liveBirth', 'urgent', 'the subject in a topic that is a type'],
  [false, ['liveBirth'], 'liveBirth', 'death', 'the topic that is a type, despite another subject'],
])(
  'wantsEvent returns %j: the filter %j for an event of topic %s with subject %s (%s)',
  (expected, subjects, topicName, subject, _what) => {
    expect(wantsEvent({ subjects }, { topicName, subject })).toBe(expected);
  },
);
