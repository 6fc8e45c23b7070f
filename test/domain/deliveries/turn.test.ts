import { describe, expect, it } from 'vitest';
import { failingGapMs, isItsTurn, mostAtOnce, turnWaitMs } from '../../../shared/domain/deliveries/turn.ts';
import { noon } from '../../harness/builders.ts';

const minute = 60_000;

describe('the gap between two attempts at a message', () => {
  it.each([
    ['is none while the receiver is well', undefined, 0],
    ['is a second when it has been failing for 20', noon - 20_000, 1000],
    ['is 5 % of the time that it has been failing', noon - 100 * minute, 5 * minute],
    ['is 15 minutes at the most', noon - 30 * 24 * 60 * minute, 15 * minute],
    ['is none by a clock that is behind', noon + 5000, 0],
  ])('%s', (_what, since, gap) => {
    expect(failingGapMs(since, noon)).toBe(gap);
  });
});

describe('the wait for a turn', () => {
  it.each([
    ['is half a minute at first', noon, minute / 2],
    ['grows with the time that the receiver has been failing', noon - 60 * minute, 6 * minute],
    ['is 15 minutes at the most', noon - 30 * 24 * 60 * minute, 15 * minute],
  ])('%s', (_what, since, wait) => {
    expect(turnWaitMs(since, noon)).toBe(wait);
  });

  it('is never shorter than the gap of those that are tried, who keep their turn so', () => {
    for (const seconds of [1, 60, 3600, 86_400, 864_000]) {
      const since = noon - seconds * 1000;
      expect(turnWaitMs(since, noon)).toBeGreaterThanOrEqual(failingGapMs(since, noon));
    }
  });
});

describe('the turn', () => {
  const oldest = Array.from({ length: mostAtOnce + 2 }, (_, index) => `m${index}`);
  it('is that of the oldest, and of everybody while they are few', () => {
    expect(oldest.map((messageId) => isItsTurn(messageId, oldest))).toEqual([
      ...Array(mostAtOnce).fill(true),
      false,
      false,
    ]);
    expect(isItsTurn('new', oldest.slice(0, mostAtOnce - 1))).toBe(true);
    expect(isItsTurn('new', oldest.slice(0, mostAtOnce))).toBe(false);
  });
});
