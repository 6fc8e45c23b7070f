import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextHop } from '../../../shared/domain/deliveries/retry.ts';
import { noon } from '../../harness/builders.ts';

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

  it('ends every wait at the requested time or less than a second later, with as few hops as possible', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e8 }), fc.integer({ min: 60, max: 900 }), (restMs, hopSeconds) => {
        const { now, hops } = waitByHops(noon + restMs, noon, hopSeconds);
        expect(hops).toBe(Math.ceil(Math.ceil(restMs / 1000) / hopSeconds));
        expect(now).toBeGreaterThanOrEqual(noon + restMs);
        expect(now).toBeLessThan(noon + restMs + 1000);
      }),
    );
  });
});
