import { expect, it } from 'vitest';
import {
  changedParts,
  isExpired,
  needsNewRequest,
  newRequest,
  nextRequestAt,
  pendingExpiry,
  requestsToDrop,
} from '../../../shared/domain/subscriptions/confirmation-requests.ts';
import type { ConfirmationRequest, StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import { tokenLifetimeMs } from '../../../shared/domain/subscriptions/subscription-token.ts';
import { aRequest, aSubscription, aTopic, noon } from '../../harness/builders.ts';

const minute = 60_000;
const asking = { countdownSeconds: 60, maxRetries: 2, subjects: ['birth'], deliveryFormat: null, caller: 'client' };
const sameRequest = (given: Partial<ConfirmationRequest> = {}) => aRequest({ subjects: asking.subjects, ...given });
/** Returns an unconfirmed subscription with one confirmation request that was created at noon. */
const pending = (request: Partial<ConfirmationRequest> = {}, given: Partial<StoredSubscription> = {}) =>
  aSubscription(aTopic(), { isActive: false, requests: { hash: sameRequest(request) }, ...given });

it.each<[boolean, string, StoredSubscription, number]>([
  [false, 'the subscription is active', pending({}, { isActive: true }), noon],
  [
    false,
    'the subscription is active, even if its token is old',
    pending({}, { isActive: true }),
    noon + 2 * tokenLifetimeMs,
  ],
  [false, 'the same request was made less than ten minutes ago', pending(), noon + 10 * minute - 1],
  [true, 'the same request was made ten minutes ago', pending(), noon + 10 * minute],
  [true, 'the token of the last request has expired', pending({ expiresAt: noon + 5 }), noon + 5],
  [true, 'the last request failed', pending({ hasFailed: true }), noon],
  [true, 'the last request had a different countdown', pending({ countdownSeconds: 61 }), noon],
  [true, 'the last request had a different number of retries', pending({ maxRetries: 3 }), noon],
  [true, 'the last request had no filter', pending({ subjects: [] }), noon],
  [true, 'the last request had a different format', pending({ deliveryFormat: 'raw' }), noon],
  [true, 'a different caller made the same request', pending({ caller: 'other' }), noon],
  [
    false,
    'the caller made the same request, and another client also made one',
    pending({}, { requests: { a: aRequest({ caller: 'other' }), b: sameRequest() } }),
    noon,
  ],
  [
    true,
    'the subscription is paused and therefore has no tokens',
    pending({}, { pausedReason: 'gone', requests: {} }),
    noon,
  ],
  [
    false,
    'the subscription is paused, but the same request was made a minute ago',
    pending({}, { pausedReason: 'gone' }),
    noon + minute,
  ],
])('needsNewRequest returns %j if %s', (expected, _what, stored, now) => {
  expect(needsNewRequest(stored, asking, now)).toBe(expected);
});

it.each<[string[], Partial<ConfirmationRequest>, boolean]>([
  [[], {}, true],
  [['subjects'], { subjects: [] }, true],
  [['policy'], { countdownSeconds: 61 }, true],
  [['policy'], { maxRetries: 3 }, true],
  [['deliveryFormat'], { deliveryFormat: 'envelope' }, true],
  [['subjects', 'caller', 'policy'], { subjects: ['death'], maxRetries: 3, caller: 'other' }, true],
  [[], { subjects: ['death'], maxRetries: 3, caller: 'other' }, false],
])('changedParts returns %j for the request %j if isActive is %j', (expected, request, isActive) => {
  const stored = aSubscription(aTopic(), { isActive, subjects: asking.subjects });
  expect(changedParts(stored, sameRequest(request))).toEqual(expected);
});

it('a confirmation request expires with its token, and its row is kept for another 30 days', () => {
  const request = newRequest(asking, 'message', noon);
  expect(request).toEqual({ ...asking, messageId: 'message', requestedAt: noon, expiresAt: noon + tokenLifetimeMs });
  const goes = (noon + 33 * 24 * 3_600_000) / 1000;
  expect(pendingExpiry(request)).toBe(goes);
  expect(isExpired({ expiresAt: goes }, goes * 1000 - 1)).toBe(false);
  expect(isExpired({ expiresAt: goes }, goes * 1000)).toBe(true);
  expect(isExpired({}, Number.MAX_SAFE_INTEGER)).toBe(false);
});

it('requestsToDrop returns the oldest request of the caller, or of the client with the most requests', () => {
  const requests = Object.fromEntries(
    [1, 2, 3, 4, 5].map((age) => [`h${age}`, aRequest({ requestedAt: noon + age, caller: age < 3 ? 'a' : 'b' })]),
  );
  expect(requestsToDrop(requests, 'b', noon + 6)).toEqual(['h3']);
  expect(requestsToDrop(requests, 'c', noon + 6)).toEqual(['h3']);
  expect(requestsToDrop(requests, 'a', noon + 6)).toEqual(['h1']);
  const { h1: _, ...four } = requests;
  expect(requestsToDrop(four, 'b', noon + 6)).toEqual([]);
  expect(requestsToDrop({ ...requests, h5: aRequest({ expiresAt: noon }) }, 'b', noon)).toEqual(['h5']);
});

const askedBy = (...callers: readonly string[]) =>
  Object.fromEntries(callers.map((caller, age) => [`${caller}${age}`, aRequest({ requestedAt: noon + age, caller })]));

it.each<[string, string, string[]]>([
  ['victim a a a a', 'b', ['a1']],
  ['victim a a a a', 'victim', ['a1']],
  ['victim a b c d', 'd', ['d4']],
  ['victim a a b c', 'd', ['a1']],
  ['victim a a a victim', 'victim', ['victim0']],
  ['a a a victim victim', 'victim', ['victim3']],
  ['victim a b c', 'd', []],
])(
  'every caller keeps at least one request: if %j have open requests, a request from %j drops %j',
  (open, caller, gone) => {
    const requests = askedBy(...open.split(' '));
    expect(nextRequestAt(requests, caller, noon + 9)).toBeUndefined();
    expect(requestsToDrop(requests, caller, noon + 9)).toEqual(gone);
  },
);

it('a sixth caller waits until one of the five open requests expires', () => {
  const requests = { ...askedBy('a', 'b', 'c', 'd'), last: aRequest({ caller: 'e', expiresAt: noon + 50 }) };
  expect(nextRequestAt(requests, 'victim', noon + 9)).toBe(noon + 50);
  expect(nextRequestAt(requests, 'victim', noon + 50)).toBeUndefined();
});
