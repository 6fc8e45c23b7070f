import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRetry } from '../../shared/domain/retry.ts';
import { outcomeClasses } from '../../shared/model/delivery.ts';
import { defaultPolicy } from '../../shared/model/policy.ts';
import { noon } from '../support/builders.ts';

const failures = outcomeClasses.filter((one) => one !== 'delivered');
const outcome = { class: 'http', status: 500 } as const;
const policies = fc.record({
  countdownSeconds: fc.integer({ min: 1, max: 1_209_600 }),
  maxRetries: fc.integer({ min: -1, max: 100_000 }),
});

describe('decideRetry', () => {
  it('has nothing to do after a delivery, whatever the policy', () => {
    fc.assert(
      fc.property(policies, fc.nat(), (policy, attempt) => {
        const delivered = { class: 'delivered', status: 204 } as const;
        const decided = decideRetry({ policy, attempt, outcome: delivered, endedAt: noon });
        expect(decided).toEqual({ ...delivered, at: noon, next: 'none' });
      }),
    );
  });

  it.each(failures)('retries after %s, countdown seconds after the end of the attempt', (failure) => {
    const policy = { countdownSeconds: 3, maxRetries: 10 };
    expect(decideRetry({ policy, attempt: 0, outcome: { class: failure }, endedAt: noon })).toEqual({
      class: failure,
      at: noon,
      next: 'retry',
      notBefore: noon + 3000,
    });
  });

  it.each([
    [0, 0, 'failed'],
    [1, 0, 'retry'],
    [1, 1, 'failed'],
    [168, 167, 'retry'],
    [168, 168, 'failed'],
    [168, 169, 'failed'],
    [-1, 0, 'retry'],
    [-1, 1_000_000, 'retry'],
  ])('with max %i, after attempt %i, it is %s', (maxRetries, attempt, next) => {
    const policy = { countdownSeconds: 60, maxRetries };
    expect(decideRetry({ policy, attempt, outcome, endedAt: noon }).next).toBe(next);
  });

  it('does not end a policy, nor waits for its countdown, when a limit of ours held the message up', () => {
    const policy = { countdownSeconds: 3600, maxRetries: 0 };
    const postponed = { class: 'email', isPostponed: true, retryAfterSeconds: 60 } as const;
    expect(decideRetry({ policy, attempt: 0, outcome: postponed, endedAt: noon })).toEqual({
      class: 'email',
      at: noon,
      next: 'retry',
      notBefore: noon + 60_000,
    });
  });

  it('makes exactly max retries of the default policy', () => {
    let attempt = 0;
    while (decideRetry({ policy: defaultPolicy, attempt, outcome, endedAt: noon }).next === 'retry') attempt++;
    expect(attempt).toBe(168);
  });
});
