import { describe, expect, it } from 'vitest';
import { subjectNames, subjectParameters } from '../../../shared/domain/subscriptions/subjects.ts';

const names = (count: number, length = 3) =>
  Array.from({ length: count }, (_, index) => String(index).padStart(length, 'x'));

describe.each([
  ['a filter', subjectNames],
  ['a filter from query parameters', subjectParameters],
])('%s', (_what, schema) => {
  it('a filter contains each event name only once, and the names are normalised and sorted', () => {
    expect(schema.parse(['death', ' liveBirth ', 'a\u0301', 'death'])).toEqual(['death', 'liveBirth', '\u00e1']);
  });

  it('a filter has at most 20 entries with at most 1,000 characters in total', () => {
    expect(schema.parse(names(20, 50))).toHaveLength(20);
    for (const given of [names(21), names(20, 51), ['x'.repeat(257)], ['a\nb'], [' ']])
      expect(schema.safeParse(given).success).toBe(false);
  });
});

it('a filter with a misspelt event type is rejected with an error that names the correct type', () => {
  const { error } = subjectNames.safeParse(['death', 'livebirth']);
  expect(error?.issues).toMatchObject([{ path: [1], message: expect.stringContaining('liveBirth') }]);
});

it('empty query parameters form an empty filter, but an empty list in a body is rejected', () => {
  expect(subjectParameters.parse(['', ''])).toEqual([]);
  expect(subjectParameters.parse(['', 'death'])).toEqual(['death']);
  expect(subjectNames.safeParse([]).success).toBe(false);
});
