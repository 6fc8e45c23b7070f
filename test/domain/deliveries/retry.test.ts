import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomeClasses } from '../../../shared/domain/deliveries/outcome.ts';
import {
  type AttemptEnd,
  decideRetry,
  isGone,
  nextHopSeconds,
  readRetryAfter,
} from '../../../shared/domain/deliveries/retry.ts';
import { defaultPolicy } from '../../../shared/domain/subscriptions/policy.ts';
import { noon } from '../../harness/builders.ts';

const failures = outcomeClasses.filter((one) => one !== 'delivered');
const outcome = { class: 'http', status: 500 } as const;
const policies = fc.record({
  countdownSeconds: fc.integer({ min: 1, max: 1_209_600 }),
  maxRetries: fc.integer({ min: -1, max: 100_000 }),
});
const jitters = fc.double({ min: 0, max: 1, noNaN: true });

/** Calls `decideRetry` for a failed attempt and uses defaults for all missing arguments. */
const decide = (given: Partial<AttemptEnd> = {}) =>
  decideRetry({ policy: defaultPolicy, attempt: 0, outcome, endedAt: noon, jitter: 0, deliveryDays: 90, ...given });

describe('decideRetry', () => {
  it('decideRetry returns no retry after a successful delivery, regardless of the policy', () => {
    fc.assert(
      fc.property(policies, fc.nat(), jitters, (policy, attempt, jitter) => {
        const delivered = { class: 'delivered', status: 204 } as const;
        expect(decide({ policy, attempt, outcome: delivered, jitter })).toEqual({
          ...delivered,
          at: noon,
          next: 'none',
        });
      }),
    );
  });

  it.each(failures)('decideRetry schedules a retry after %s, counting from the end of the attempt', (failure) => {
    const policy = { countdownSeconds: 3, maxRetries: 10 };
    expect(decide({ policy, outcome: { class: failure } })).toEqual({
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
  ])('with maxRetries %i, after attempt %i, returns %s', (maxRetries, attempt, next) => {
    const decided = decide({ policy: { countdownSeconds: 60, maxRetries }, attempt });
    expect(decided.next).toBe(next);
    expect(decided.notBefore !== undefined).toBe(next === 'retry');
  });

  it('decideRetry does not count an attempt that one of our limits postponed, and retries it before the countdown ends', () => {
    const policy = { countdownSeconds: 3600, maxRetries: 0 };
    const postponed = { class: 'email', isPostponed: true, retryAfterSeconds: 60 } as const;
    expect(decide({ policy, outcome: postponed, jitter: 1 })).toEqual({
      class: 'email',
      isPostponed: true,
      at: noon,
      next: 'retry',
      notBefore: noon + 60_000,
    });
  });
});

it.each([
  [60, 0, 0],
  [60, 0.5, 750],
  [60, 1, 1500],
  [600, 1, 15_000],
  [601, 1, 15_000],
  [3600, 0.5, 7500],
  [1_209_600, 1, 15_000],
  [1, 1, 25],
])('a countdown of %i s with the random value %d has a jitter of %i ms', (countdownSeconds, jitter, late) => {
  const decided = decide({ policy: { countdownSeconds, maxRetries: 1 }, jitter });
  expect(decided.notBefore).toBe(noon + countdownSeconds * 1000 + late);
});

describe('Retry-After', () => {
  const throttled = (retryAfterSeconds: number) => ({ class: 'http', status: 429, retryAfterSeconds }) as const;
  const policy = { countdownSeconds: 60, maxRetries: 2 };

  it.each([
    [0, 60],
    [59, 60],
    [60, 60],
    [61, 61],
    [86_400, 86_400],
  ])('the Retry-After value %i s causes a wait of %i s if the countdown is 60 s', (seconds, waits) => {
    const { notBefore } = decide({ policy, outcome: throttled(seconds) });
    expect(notBefore).toBe(noon + waits * 1000);
  });

  it('the wait for Retry-After has the same jitter as the countdown', () => {
    const { notBefore } = decide({ policy, outcome: throttled(3600), jitter: 1 });
    expect(notBefore).toBe(noon + 3_600_000 + 1500);
  });

  it('Retry-After is not stored, and causes no retry if the policy allows no more retries', () => {
    expect(decide({ policy, attempt: 2, outcome: throttled(5) })).toEqual({
      class: 'http',
      status: 429,
      at: noon,
      next: 'failed',
    });
    expect(decide({ policy, outcome: throttled(5) })).not.toHaveProperty('retryAfterSeconds');
  });
});

describe('the status 410', () => {
  it('a message is never retried after the status 410, regardless of the policy and Retry-After', () => {
    fc.assert(
      fc.property(policies, fc.nat(), fc.nat(86_400), (policy, attempt, retryAfterSeconds) => {
        const gone = { class: 'http', status: 410, retryAfterSeconds } as const;
        expect(decide({ policy: { ...policy, maxRetries: -1 }, attempt, outcome: gone })).toEqual({
          class: 'http',
          status: 410,
          at: noon,
          next: 'failed',
        });
      }),
    );
  });

  it('the status 410 is permanent only for HTTP deliveries', () => {
    expect(isGone({ class: 'http', status: 410 })).toBe(true);
    expect(isGone({ class: 'http', status: 404 })).toBe(false);
    expect(isGone({ class: 'email', status: 410 })).toBe(false);
    expect(isGone({ class: 'timeout' })).toBe(false);
  });
});

describe('an attempt with an unknown result', () => {
  const unknown = { class: 'unknown' } as const;
  const policy = { countdownSeconds: 60, maxRetries: 1 };

  it('an attempt with an unknown result is retried according to the policy', () => {
    const retry = { class: 'unknown', at: noon, next: 'retry', notBefore: noon + 60_000 };
    expect(decide({ policy, outcome: unknown })).toEqual(retry);
    expect(decide({ policy, attempt: 1, outcome: unknown })).toMatchObject({ next: 'failed' });
  });

  it('an attempt with an unknown result is not retried if the setting forbids such retries', () => {
    const left = { class: 'unknown', at: noon, next: 'none' };
    expect(decide({ policy, outcome: { ...unknown, isLeft: true } })).toEqual(left);
  });
});

describe('a failing receiver', () => {
  const policy = (countdownSeconds: number) => ({ countdownSeconds, maxRetries: -1 });
  const fails = (countdownSeconds: number, failingMs: number) =>
    decide({ policy: policy(countdownSeconds), attempt: 9, failingSince: noon - failingMs });

  it.each([
    ['at first, retries wait only until the countdown ends', 1, 10_000, 1000],
    ['retries become less frequent the longer the receiver fails', 1, 3_600_000, 180_000],
    ['retries start at least every 15 minutes', 1, 864_000_000, 900_000],
    ['retries never start before the countdown ends', 3600, 864_000_000, 3_600_000],
  ])('%s', (_what, countdownSeconds, failingMs, wait) => {
    expect(fails(countdownSeconds, failingMs)).toMatchObject({ notBefore: noon + wait });
  });
});

const now = Date.parse('Sun, 06 Nov 1994 08:49:37 GMT');

describe('the header Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120],
    [' 120 ', 120],
    ['86400', 86_400],
    ['86401', 86_400],
    ['99999999999999999999', 86_400],
    ['Sun, 06 Nov 1994 08:49:38 GMT', 1],
    ['Sun, 06 Nov 1994 09:49:37 GMT', 3600],
    ['Sunday, 06-Nov-94 09:49:37 GMT', 3600],
    ['Sun Nov  6 09:49:37 1994', 3600],
    ['Fri, 01 Jan 2027 00:00:00 GMT', 86_400],
    ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
  ])('%j means %i seconds', (header, seconds) => {
    expect(readRetryAfter(header, now)).toBe(seconds);
  });

  const invalid = [
    ['', 'soon', '-1', '1.5', '1e3', '0x10', '12 s', '１２'],
    ['1994-11-06T09:49:37Z', 'Sun, 06 Nov 1994 09:49:37 CET'],
  ];
  it.each(invalid.flat())('%j is invalid', (header) => {
    expect(readRetryAfter(header, now)).toBeUndefined();
  });

  it('any other text in the Retry-After header is invalid or means 0 to 86,400 seconds', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const seconds = readRetryAfter(header, now) ?? 0;
        expect(seconds).toBeGreaterThanOrEqual(0);
        expect(seconds).toBeLessThanOrEqual(86_400);
      }),
    );
  });
});

/**
 * Simulates waiting until a task is due, with a queue whose delays are exact. Returns the end time and the number of
 * hops.
 */
function waitByHops(notBefore: number, from: number, hopSeconds: number) {
  let [now, hops] = [from, 0];
  const next = () => nextHopSeconds(notBefore, now, hopSeconds);
  for (let delay = next(); delay > 0; delay = next()) {
    now += delay * 1000;
    hops++;
  }
  return { now, hops };
}

it('nextHopSeconds reports a task as due from the exact millisecond of its due time', () => {
  expect([0, 5, -1, -1000, -1001].map((ms) => nextHopSeconds(noon, noon + ms))).toEqual([0, 0, 1, 1, 2]);
});

it('nextHopSeconds ends every wait less than a second after the requested time, with as few hops as possible', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e8 }), fc.integer({ min: 60, max: 900 }), (restMs, hopSeconds) => {
      const { now, hops } = waitByHops(noon + restMs, noon, hopSeconds);
      expect(hops).toBe(Math.ceil(Math.ceil(restMs / 1000) / hopSeconds));
      expect(now).toBeGreaterThanOrEqual(noon + restMs);
      expect(now).toBeLessThan(noon + restMs + 1000);
    }),
  );
});
