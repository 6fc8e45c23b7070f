import { describe, expect, it } from 'vitest';
import { nextTurn } from '../../../shared/domain/deliveries/mail-pace.ts';

describe('the next email', () => {
  it.each([
    ['one interval after the last email', { last: 1000, now: 1010 }, 1143],
    ['immediately when the interval has passed', { last: 1000, now: 2000 }, 2000],
    ['at the latest possible time', { last: 4857, now: 4900 }, 5000],
    ['at no time if its turn would be after the latest possible time', { last: 4858, now: 4900 }, undefined],
    ['at no time if the latest possible time has passed', { last: 0, now: 5001 }, undefined],
  ])('is sent %s', (_when, { last, now }, at) => {
    expect(nextTurn({ last, now, intervalMs: 143, latest: 5000 })).toBe(at);
  });
});
