import { describe, expect, it } from 'vitest';
import {
  isActiveMessage,
  isOverdue,
  maxActiveMessages,
  orderOf,
  releaseWaitMs,
  visitWaitMs,
} from '../../../shared/domain/deliveries/parking.ts';
import { failingGapMs } from '../../../shared/domain/deliveries/retry.ts';
import { dayMs } from '../../../shared/domain/time.ts';
import { noon } from '../../harness/builders.ts';

const minute = 60_000;

describe('the gap between two attempts to a failing receiver', () => {
  it.each([
    ['the gap is zero while the receiver is healthy', undefined, 0],
    ['the gap is one second if the receiver has been failing for 20 seconds', noon - 20_000, 1000],
    ["the gap is 5 % of the time since the receiver's first failure", noon - 100 * minute, 5 * minute],
    ['the gap is at most 15 minutes', noon - 30 * 24 * 60 * minute, 15 * minute],
    ['the gap is zero if the clock shows a time before the first failure', noon + 5000, 0],
  ])('%s', (_what, since, gap) => {
    expect(failingGapMs(since, noon, 90)).toBe(gap);
  });
});

it('the gap between two attempts is a day if no delivery has succeeded for `deliveryDays`', () => {
  expect([13, 14].map((days) => failingGapMs(noon - days * dayMs, noon, 14))).toEqual([15 * minute, dayMs]);
});

describe('the time between two checks of parked messages', () => {
  it.each([
    ['the wait is 30 seconds at first', noon, minute / 2],
    ["the wait grows with the time since the receiver's first failure", noon - 60 * minute, 6 * minute],
    ['the wait is at most 15 minutes', noon - 13 * dayMs, 15 * minute],
    ['the wait is a day if no delivery has succeeded for `deliveryDays`', noon - 14 * dayMs, dayMs],
  ])('%s', (_what, since, wait) => {
    expect(visitWaitMs(since, noon, 14)).toBe(wait);
  });
});

describe('the active messages of a failing receiver', () => {
  // With an Idempotency-Key, the IDs can be in the reverse order of the publication times.
  const orders = Array.from({ length: maxActiveMessages + 2 }, (_, index) =>
    orderOf(new Date(noon + index).toISOString(), `id${9 - index}`),
  );

  it('the five oldest messages by publication time are active, regardless of their IDs', () => {
    const oldest = orders.slice(0, maxActiveMessages);
    const active = orders.filter((order) => isActiveMessage(order, oldest, false));
    expect(active).toEqual(oldest);
  });

  it('a message is active if it is older than all listed messages', () => {
    expect(isActiveMessage(orders[0] ?? '', orders.slice(1, 1 + maxActiveMessages), false)).toBe(true);
  });

  it('only the oldest message is active if no delivery has succeeded for `deliveryDays`', () => {
    expect(orders.slice(0, 2).map((order) => isActiveMessage(order, orders, true))).toEqual([true, false]);
  });
});

it('a parked message is overdue when `deliveryDays` have passed since its publication', () => {
  const publishedAt = new Date(noon - 14 * dayMs).toISOString();
  expect([noon - 1, noon].map((now) => isOverdue(publishedAt, now, 14))).toEqual([false, true]);
});

it('while no message can be released, the wait before the next try doubles, up to a minute', () => {
  expect([0, 1, 3, 9].map(releaseWaitMs)).toEqual([1000, 2000, 8000, 60_000]);
});
