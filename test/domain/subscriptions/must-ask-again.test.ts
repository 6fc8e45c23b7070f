import { describe, expect, it } from 'vitest';
import { mustAskAgain } from '../../../shared/domain/subscriptions/must-ask-again.ts';
import { tokenLifetimeMs } from '../../../shared/domain/subscriptions/subscription-token.ts';
import type { StoredSubscription } from '../../../shared/model/subscriptions/subscription.ts';
import { aSubscription, aTopic, noon } from '../../support/builders.ts';

const minute = 60_000;
/** Pending, and asked at noon. */
const pending = (given: Partial<StoredSubscription> = {}) =>
  aSubscription(aTopic(), { isActive: false, isAsked: true, tokenExpiresAt: noon + tokenLifetimeMs, ...given });

describe('mustAskAgain', () => {
  it.each<[boolean, string, StoredSubscription, number]>([
    [false, 'is active', pending({ isActive: true }), noon],
    [false, 'is active, however old its token', pending({ isActive: true }), noon + 2 * tokenLifetimeMs],
    [false, 'was asked and has its retries before it', pending(), noon + 60 * minute],
    [false, 'was asked, to the last moment of its token', pending(), noon + tokenLifetimeMs - 1],
    [true, 'was asked and its token has expired', pending(), noon + tokenLifetimeMs],
    [true, 'was asked without success', pending({ hasConfirmationFailed: true }), noon + 60 * minute],
    [false, 'waits for its first confirmation', pending({ isAsked: false }), noon + minute],
    [false, 'waits for five minutes', pending({ isAsked: false }), noon + 5 * minute],
    [true, 'waits for longer than it can take', pending({ isAsked: false }), noon + 5 * minute + 1],
    [true, 'waits for longer, in a row that says nothing of it', pending({ isAsked: undefined }), noon + 6 * minute],
    [true, 'is paused, which ends the token', pending({ pausedReason: 'gone', tokenExpiresAt: 0 }), noon + minute],
    [false, 'is paused and was asked again', pending({ pausedReason: 'gone' }), noon + 60 * minute],
  ])('is %s of one that %s', (expected, _what, stored, now) => {
    expect(mustAskAgain(stored, now)).toBe(expected);
  });
});
