import { describe, expect, it } from 'vitest';
import { subjectNames, subjectParameters } from '../../../shared/domain/subscriptions/subjects.ts';

const names = (count: number, length = 3) =>
  Array.from({ length: count }, (_, index) => String(index).padStart(length, 'x'));

describe.each([
  ['a filter', subjectNames],
  ['the parameters of a filter', subjectParameters],
])('%s', (_what, schema) => {
  it('names each event once, in one order and one form', () => {
    expect(schema.parse(['death', ' liveBirth ', 'a\u0301', 'death'])).toEqual(['death', 'liveBirth', '\u00e1']);
  });

  it('names at most 20, and 1,000 characters together', () => {
    expect(schema.parse(names(20, 50))).toHaveLength(20);
    for (const given of [names(21), names(20, 51), ['x'.repeat(257)], ['a\nb'], [' ']])
      expect(schema.safeParse(given).success).toBe(false);
  });
});

it('names no event that is nearly one of the types, and says which', () => {
  const { error } = subjectNames.safeParse(['death', 'livebirth']);
  expect(error?.issues).toMatchObject([{ path: [1], message: expect.stringContaining('liveBirth') }]);
});

it('is not there where all parameters are empty, nor where there are none of a body', () => {
  expect(subjectParameters.parse(['', ''])).toEqual([]);
  expect(subjectParameters.parse(['', 'death'])).toEqual(['death']);
  expect(subjectNames.safeParse([]).success).toBe(false);
});
