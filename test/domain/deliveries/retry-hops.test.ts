import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRetry, nextHop } from '../../../shared/domain/deliveries/retry.ts';
import { defaultPolicy } from '../../../shared/domain/subscriptions/policy.ts';
import { noon } from '../../harness/builders.ts';
import { seededBytes } from '../../harness/random.ts';

/**
 * Simulates waiting until a task is due, with a queue whose delays are exact. Returns the end time and the number of
 * hops.
 */
function waitByHops(notBefore: number, from: number, hopSeconds: number) {
  let [now, hops] = [from, 0];
  for (let hop = nextHop(notBefore, now, hopSeconds); !hop.isDue; hop = nextHop(notBefore, now, hopSeconds)) {
    now += hop.delaySeconds * 1000;
    hops++;
  }
  return { now, hops };
}

describe('nextHop', () => {
  it('reports a task as due from the exact millisecond of its due time', () => {
    expect(nextHop(noon, noon, 900)).toEqual({ isDue: true });
    expect(nextHop(noon, noon + 5, 900)).toEqual({ isDue: true });
    expect(nextHop(noon, noon - 1, 900)).toEqual({ isDue: false, delaySeconds: 1 });
    expect(nextHop(noon, noon - 1000, 900)).toEqual({ isDue: false, delaySeconds: 1 });
    expect(nextHop(noon, noon - 1001, 900)).toEqual({ isDue: false, delaySeconds: 2 });
  });

  it('delays by a whole number of seconds, from 1 to the longest hop', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2e9 }), fc.integer({ min: 1, max: 900 }), (restMs, hopSeconds) => {
        const hop = nextHop(noon + restMs, noon, hopSeconds);
        if (hop.isDue) throw new Error('due too early');
        expect(Number.isInteger(hop.delaySeconds)).toBe(true);
        expect(hop.delaySeconds).toBeGreaterThanOrEqual(1);
        expect(hop.delaySeconds).toBeLessThanOrEqual(hopSeconds);
      }),
    );
  });

  it('ends every wait at the requested time or less than a second later', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e8 }), fc.integer({ min: 60, max: 900 }), (restMs, hopSeconds) => {
        const { now } = waitByHops(noon + restMs, noon, hopSeconds);
        expect(now).toBeGreaterThanOrEqual(noon + restMs);
        expect(now).toBeLessThan(noon + restMs + 1000);
      }),
    );
  });

  it('needs four or five hops per retry during a week of hourly retries', () => {
    const random = seededBytes(168);
    const attemptMs = () => random(2).reduce((sum, byte) => sum * 60 + byte, 0);
    let now = noon;
    const starts: number[] = [];
    for (let attempt = 0; ; attempt++) {
      starts.push(now);
      const endedAt = now + attemptMs();
      const jitter = (random(1)[0] ?? 0) / 255;
      const decided = decideRetry({ policy: defaultPolicy, attempt, outcome: { class: 'timeout' }, endedAt, jitter });
      if (decided.next === 'failed') break;
      const notBefore = decided.notBefore ?? Number.NaN;
      expect(notBefore - endedAt).toBeGreaterThanOrEqual(3_600_000);
      expect(notBefore - endedAt).toBeLessThanOrEqual(3_615_000);
      const waited = waitByHops(notBefore, endedAt + (random(1)[0] ?? 0), 900);
      expect(waited.now).toBeGreaterThanOrEqual(notBefore);
      expect(waited.now - notBefore).toBeLessThan(1000);
      expect(waited.hops).toBeGreaterThanOrEqual(4);
      expect(waited.hops).toBeLessThanOrEqual(5);
      now = waited.now;
    }
    expect(starts).toHaveLength(169);
    const day = 24 * 3600 * 1000;
    expect(now - noon).toBeGreaterThanOrEqual(7 * day);
  });
});
