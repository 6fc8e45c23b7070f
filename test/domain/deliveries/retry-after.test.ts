import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRetryAfter } from '../../../shared/domain/deliveries/retry.ts';

const now = Date.parse('Sun, 06 Nov 1994 08:49:37 GMT');

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120],
    [' 120 ', 120],
    ['86400', 86_400],
    ['86401', 86_400],
    ['99999999999999999999', 86_400],
    ['Sun, 06 Nov 1994 08:49:38 GMT', 1],
    ['Sun, 06 Nov 1994 09:49:37 GMT', 3600],
    ['Sunday, 06-Nov-94 09:49:37 GMT', 3600],
    ['Sun Nov  6 09:49:37 1994', 3600],
    ['Fri, 01 Jan 2027 00:00:00 GMT', 86_400],
    ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
  ])('%j means %i seconds', (header, seconds) => {
    expect(readRetryAfter(header, now)).toBe(seconds);
  });

  it.each([
    '',
    'soon',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '12 s',
    '1994-11-06T09:49:37Z',
    'Sun, 06 Nov 1994 09:49:37 CET',
    '１２',
  ])('%j is invalid', (header) => {
    expect(readRetryAfter(header, now)).toBeUndefined();
  });

  it('with a date in the next 24 hours means the number of seconds until that date', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 86_400 }), (seconds) => {
        expect(readRetryAfter(new Date(now + seconds * 1000).toUTCString(), now)).toBe(seconds);
      }),
    );
  });

  it('with any other text is invalid or means 0 to 86,400 seconds', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const seconds = readRetryAfter(header, now) ?? 0;
        expect(seconds).toBeGreaterThanOrEqual(0);
        expect(seconds).toBeLessThanOrEqual(86_400);
      }),
    );
  });
});
