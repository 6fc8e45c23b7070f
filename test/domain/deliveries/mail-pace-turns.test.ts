import { describe, expect, it } from 'vitest';
import { nextTurn } from '../../../shared/domain/deliveries/mail-pace.ts';

describe('the next mail is sent', () => {
  it.each([
    ['an interval after the last', { last: 1000, now: 1010 }, 1143],
    ['immediately when the interval has passed', { last: 1000, now: 2000 }, 2000],
    ['at the very end', { last: 4857, now: 4900 }, 5000],
    ['never after the end', { last: 4858, now: 4900 }, undefined],
    ['never when the end has passed', { last: 0, now: 5001 }, undefined],
  ])('comes %s', (_when, { last, now }, at) => {
    expect(nextTurn({ last, now, intervalMs: 143, latest: 5000 })).toBe(at);
  });
});
