import { describe, expect, it } from 'vitest';
import {
  isGoneBy,
  mustAsk,
  newRequest,
  pendingExpiry,
  replacedBy,
  requestsToDrop,
  roomAt,
} from '../../../shared/domain/subscriptions/confirmation-requests.ts';
import type { ConfirmationRequest, StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import { tokenLifetimeMs } from '../../../shared/domain/subscriptions/subscription-token.ts';
import { aRequest, aSubscription, aTopic, noon } from '../../harness/builders.ts';

const minute = 60_000;
const asking = { countdownSeconds: 60, maxRetries: 2, subjects: ['birth'], caller: 'client' };
const asked = (given: Partial<ConfirmationRequest> = {}) => aRequest({ subjects: asking.subjects, ...given });
/** Pending, and asked at noon. */
const pending = (request: Partial<ConfirmationRequest> = {}, given: Partial<StoredSubscription> = {}) =>
  aSubscription(aTopic(), { isActive: false, requests: { hash: asked(request) }, ...given });

it.each<[boolean, string, StoredSubscription, number]>([
  [false, 'is active', pending({}, { isActive: true }), noon],
  [false, 'is active, however old its token', pending({}, { isActive: true }), noon + 2 * tokenLifetimeMs],
  [false, 'was asked the same', pending(), noon + 10 * minute - 1],
  [true, 'was asked the same ten minutes ago', pending(), noon + 10 * minute],
  [true, 'was asked and its token has expired', pending({ expiresAt: noon + 5 }), noon + 5],
  [true, 'was asked without success', pending({ hasFailed: true }), noon],
  [true, 'was asked another countdown', pending({ countdownSeconds: 61 }), noon],
  [true, 'was asked another number of retries', pending({ maxRetries: 3 }), noon],
  [true, 'was asked without a filter', pending({ subjects: [] }), noon],
  [true, 'was asked the same by another', pending({ caller: 'other' }), noon],
  [
    false,
    'was asked the same and something else',
    pending({}, { requests: { a: aRequest({ caller: 'other' }), b: asked() } }),
    noon,
  ],
  [true, 'is paused, which ends its tokens', pending({}, { pausedReason: 'gone', requests: {} }), noon],
  [false, 'is paused and was asked again', pending({}, { pausedReason: 'gone' }), noon + minute],
])('it is %j that a subscription must be asked for that %s', (expected, _what, stored, now) => {
  expect(mustAsk(stored, asking, now)).toBe(expected);
});

it.each<[string[], Partial<ConfirmationRequest>, boolean]>([
  [[], {}, true],
  [['subjects'], { subjects: [] }, true],
  [['policy'], { countdownSeconds: 61 }, true],
  [['policy'], { maxRetries: 3 }, true],
  [['subjects', 'policy', 'caller'], { subjects: ['death'], maxRetries: 3, caller: 'other' }, true],
  [[], { subjects: ['death'], maxRetries: 3, caller: 'other' }, false],
])('replaces %j by %j, being active: %j', (expected, request, isActive) => {
  const stored = aSubscription(aTopic(), { isActive, subjects: asking.subjects });
  expect(replacedBy(stored, asked(request))).toEqual(expected);
});

it('a request is valid for the days of its token, and its row is kept thirty more', () => {
  const request = newRequest(asking, 'message', noon);
  expect(request).toEqual({ ...asking, messageId: 'message', askedAt: noon, expiresAt: noon + tokenLifetimeMs });
  const goes = (noon + 33 * 24 * 3_600_000) / 1000;
  expect(pendingExpiry(request)).toBe(goes);
  expect(isGoneBy({ expiresAt: goes }, goes * 1000 - 1)).toBe(false);
  expect(isGoneBy({ expiresAt: goes }, goes * 1000)).toBe(true);
  expect(isGoneBy({}, Number.MAX_SAFE_INTEGER)).toBe(false);
});

it('of five open requests the oldest goes of the caller that has most', () => {
  const requests = Object.fromEntries(
    [1, 2, 3, 4, 5].map((age) => [`h${age}`, aRequest({ askedAt: noon + age, caller: age < 3 ? 'a' : 'b' })]),
  );
  expect(requestsToDrop(requests, 'b', noon + 6)).toEqual(['h3']);
  expect(requestsToDrop(requests, 'c', noon + 6)).toEqual(['h3']);
  expect(requestsToDrop(requests, 'a', noon + 6)).toEqual(['h1']);
  const { h1: _, ...four } = requests;
  expect(requestsToDrop(four, 'b', noon + 6)).toEqual([]);
  expect(requestsToDrop({ ...requests, h5: aRequest({ expiresAt: noon }) }, 'b', noon)).toEqual(['h5']);
});

describe('of callers that ask the same address', () => {
  const askedBy = (...callers: readonly string[]) =>
    Object.fromEntries(callers.map((caller, age) => [`${caller}${age}`, aRequest({ askedAt: noon + age, caller })]));

  it.each<[string, string, string[]]>([
    ['victim a a a a', 'b', ['a1']],
    ['victim a a a a', 'victim', ['a1']],
    ['victim a b c d', 'd', ['d4']],
    ['victim a a b c', 'd', ['a1']],
    ['victim a a a victim', 'victim', ['victim0']],
    ['victim a b c', 'd', []],
  ])('none ends the only request of another: of %j and one of %j go %j', (open, caller, gone) => {
    const requests = askedBy(...open.split(' '));
    expect(roomAt(requests, caller, noon + 9)).toBeUndefined();
    expect(requestsToDrop(requests, caller, noon + 9)).toEqual(gone);
  });

  it('a sixth waits until one of five has ended', () => {
    const requests = { ...askedBy('a', 'b', 'c', 'd'), last: aRequest({ caller: 'e', expiresAt: noon + 50 }) };
    expect(roomAt(requests, 'victim', noon + 9)).toBe(noon + 50);
    expect(roomAt(requests, 'victim', noon + 50)).toBeUndefined();
  });
});
