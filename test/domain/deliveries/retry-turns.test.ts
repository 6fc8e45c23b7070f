import { describe, expect, it } from 'vitest';
import { failingGapMs, isItsTurn, maxActiveMessages, turnWaitMs } from '../../../shared/domain/deliveries/retry.ts';
import { noon } from '../../harness/builders.ts';

const minute = 60_000;

describe('the gap between two attempts to a failing receiver', () => {
  it.each([
    ['is zero while the receiver is healthy', undefined, 0],
    ['is one second if the receiver has been failing for 20 seconds', noon - 20_000, 1000],
    ["is 5 % of the time since the receiver's first failure", noon - 100 * minute, 5 * minute],
    ['is at most 15 minutes', noon - 30 * 24 * 60 * minute, 15 * minute],
    ['is zero if the clock is behind the time of the first failure', noon + 5000, 0],
  ])('%s', (_what, since, gap) => {
    expect(failingGapMs(since, noon)).toBe(gap);
  });
});

describe('the time that a message waits for its turn', () => {
  it.each([
    ['is 30 seconds at first', noon, minute / 2],
    ["grows with the time since the receiver's first failure", noon - 60 * minute, 6 * minute],
    ['is at most 15 minutes', noon - 30 * 24 * 60 * minute, 15 * minute],
  ])('%s', (_what, since, wait) => {
    expect(turnWaitMs(since, noon)).toBe(wait);
  });

  it('is never shorter than the gap between attempts, so that the active messages keep their turns', () => {
    for (const seconds of [1, 60, 3600, 86_400, 864_000]) {
      const since = noon - seconds * 1000;
      expect(turnWaitMs(since, noon)).toBeGreaterThanOrEqual(failingGapMs(since, noon));
    }
  });
});

describe('the turn for an attempt', () => {
  const oldest = Array.from({ length: maxActiveMessages + 2 }, (_, index) => `m${index}`);
  it('is given to the oldest messages, and to every message while there are few messages', () => {
    expect(oldest.map((messageId) => isItsTurn(messageId, oldest))).toEqual([
      ...Array(maxActiveMessages).fill(true),
      false,
      false,
    ]);
    expect(isItsTurn('new', oldest.slice(0, maxActiveMessages - 1))).toBe(true);
    expect(isItsTurn('new', oldest.slice(0, maxActiveMessages))).toBe(false);
  });
});
