import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DeliveryOutcome, Outcome } from '../../../shared/domain/deliveries/outcome.ts';
import { decideConfirmationRetry } from '../../../shared/domain/subscriptions/confirmation-retry.ts';
import type { Policy } from '../../../shared/domain/subscriptions/policy.ts';
import { dayMs } from '../../../shared/domain/time.ts';
import { noon } from '../../harness/builders.ts';

const tokenExpiresAt = noon + 3 * dayMs;
const deployed = { deliveryDays: 90, tokenExpiresAt };
const refused: Outcome = { class: 'http', status: 404 };

/** Returns the times of all attempts if every attempt has the given outcome and the queues have the given delay. */
function askedAt(policy: Policy, outcome = refused, { tookMs = 0, lateMs = 0, jitter = 0 } = {}) {
  const times: number[] = [];
  let [at, previous]: [number, DeliveryOutcome | undefined] = [noon, undefined];
  for (let attempt = 0; attempt < 20; attempt++) {
    times.push(at);
    const end = { policy, attempt, outcome, endedAt: at + tookMs, jitter, startedAt: at, previous, ...deployed };
    const decision = decideConfirmationRetry(end);
    if (decision.next === 'failed') return times;
    previous = { ...decision, tookMs };
    at = (decision.notBefore ?? 0) + lateMs;
  }
  throw new Error('the confirmation requests do not end');
}

const policies = fc.record({
  countdownSeconds: fc.integer({ min: 1, max: 1_209_600 }),
  maxRetries: fc.integer({ min: -1, max: 100_000 }),
});
const circumstances = fc.record({
  tookMs: fc.integer({ min: 0, max: 60_000 }),
  lateMs: fc.integer({ min: 0, max: 900_000 }),
  jitter: fc.double({ min: 0, max: 1, noNaN: true }),
});
const outcomes = fc.constantFrom<Outcome>(refused, { class: 'timeout' }, { ...refused, retryAfterSeconds: 7000 });

it('an address gets at most five confirmation requests, and each interval is at least twice as long as the previous one', () => {
  fc.assert(
    fc.property(policies, outcomes, circumstances, (policy, outcome, given) => {
      const times = askedAt(policy, outcome, given);
      expect(times.length).toBeLessThanOrEqual(5);
      const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      for (const [index, gap] of gaps.entries()) {
        expect(gap).toBeGreaterThanOrEqual(policy.countdownSeconds * 1000);
        // Rounding can make a gap one millisecond shorter.
        if (index > 0) expect(gap + 1).toBeGreaterThanOrEqual(2 * (gaps[index - 1] ?? 0));
        expect((times[index + 1] ?? 0) - given.lateMs).toBeLessThan(tokenExpiresAt);
      }
    }),
  );
});

it.each([
  ['1,-1', { countdownSeconds: 1, maxRetries: -1 }, [0, 1, 3, 7, 15]],
  ['3600,168', { countdownSeconds: 3600, maxRetries: 168 }, [0, 3600, 10_800, 25_200, 54_000]],
  ['1,2', { countdownSeconds: 1, maxRetries: 2 }, [0, 1, 3]],
  ['1,0', { countdownSeconds: 1, maxRetries: 0 }, [0]],
  ['300000,-1 (a countdown longer than the token lifetime)', { countdownSeconds: 300_000, maxRetries: -1 }, [0]],
])('with the policy %s, confirmation requests are sent at the expected times', (_policy, policy, seconds) => {
  expect(askedAt(policy).map((at) => (at - noon) / 1000)).toEqual(seconds);
});

it('a receiver that returns 410 gets only one confirmation request', () => {
  expect(askedAt({ countdownSeconds: 1, maxRetries: -1 }, { class: 'http', status: 410 })).toEqual([noon]);
});

it('a mailbox that declines requests gets no further confirmation request', () => {
  expect(askedAt({ countdownSeconds: 1, maxRetries: -1 }, { class: 'declined' })).toEqual([noon]);
});

it('the outcome of a confirmation request to an address in allowedNetworks contains only its class', () => {
  const given = { attempt: 0, endedAt: noon, jitter: 0, startedAt: noon, previous: undefined, ...deployed };
  const policy = { countdownSeconds: 10, maxRetries: 1 };
  for (const outcome of [refused, { class: 'connect', code: 'ECONNREFUSED' }] as const) {
    const {
      class: kind,
      status,
      code,
    } = decideConfirmationRetry({ ...given, policy, outcome: { ...outcome, isInternal: true } });
    expect([kind, status, code]).toEqual([outcome.class, undefined, undefined]);
  }
});

it('a confirmation request that one of our limits postponed does not count as an attempt', () => {
  const policy = { countdownSeconds: 10, maxRetries: 0 };
  const outcome: Outcome = { class: 'email', isPostponed: true, retryAfterSeconds: 60 };
  const end = { policy, attempt: 0, outcome, endedAt: noon, jitter: 0, startedAt: noon, ...deployed };
  const first = decideConfirmationRetry({ ...end, previous: undefined });
  expect(first).toMatchObject({ next: 'retry', notBefore: noon + 60_000 });
  const second = { ...end, policy: { ...policy, maxRetries: 1 }, outcome: refused, startedAt: noon + 60_000 };
  expect(decideConfirmationRetry({ ...second, endedAt: noon + 60_000, previous: first })).toMatchObject({
    notBefore: noon + 70_000,
  });
});
