import { describe, expect, it } from 'vitest';
import { subjectNames, subjectParameters } from '../../../shared/domain/subscriptions/subjects.ts';

const names = (count: number, length = 3) =>
  Array.from({ length: count }, (_, index) => String(index).padStart(length, 'x'));

describe.each([
  ['a filter', subjectNames],
  ['the parameters of a filter', subjectParameters],
])('%s', (_what, schema) => {
  it('contains each event once, in one order and one form', () => {
    expect(schema.parse(['death', ' liveBirth ', 'a\u0301', 'death'])).toEqual(['death', 'liveBirth', '\u00e1']);
  });

  it('has at most 20 entries and at most 1,000 characters in total', () => {
    expect(schema.parse(names(20, 50))).toHaveLength(20);
    for (const given of [names(21), names(20, 51), ['x'.repeat(257)], ['a\nb'], [' ']])
      expect(schema.safeParse(given).success).toBe(false);
  });
});

it('rejects a name close to an event type, and says which type', () => {
  const { error } = subjectNames.safeParse(['death', 'livebirth']);
  expect(error?.issues).toMatchObject([{ path: [1], message: expect.stringContaining('liveBirth') }]);
});

it('is undefined if all parameters are empty, and rejects an empty list in a body', () => {
  expect(subjectParameters.parse(['', ''])).toEqual([]);
  expect(subjectParameters.parse(['', 'death'])).toEqual(['death']);
  expect(subjectNames.safeParse([]).success).toBe(false);
});
