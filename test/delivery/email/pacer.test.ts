import { describe, expect, it } from 'vitest';
import { pacer } from '../../../shared/delivery/email/pacer.ts';

/** A clock that sleeping moves on. */
function aClock(at = 10_000) {
  const clock = {
    at,
    now: () => clock.at,
    async sleep(milliseconds: number) {
      // Whoever was told to wait longer is not set back by a shorter wait beside it.
      const until = clock.at + milliseconds;
      await Promise.resolve();
      clock.at = Math.max(clock.at, until);
    },
  };
  return clock;
}

describe('the pacer', () => {
  it('gives the first turn an interval after it began, and each next one an interval later', async () => {
    const clock = aClock();
    const turns = pacer({ intervalMs: 143, latest: 20_000, now: clock.now, sleep: clock.sleep });
    const at: number[] = [];
    for (let count = 0; count < 3; count++) {
      expect(await turns.turn()).toBe(true);
      at.push(clock.at);
    }
    expect(at).toEqual([10_143, 10_286, 10_429]);
  });

  it('keeps the distance between turns that are asked for at once', async () => {
    const clock = aClock();
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => void waits.push(milliseconds);
    const turns = pacer({ intervalMs: 100, latest: 20_000, now: clock.now, sleep });
    await Promise.all([turns.turn(), turns.turn(), turns.turn()]);
    expect(waits).toEqual([100, 200, 300]);
  });

  it('gives no turn after the last one', async () => {
    const clock = aClock();
    const turns = pacer({ intervalMs: 100, latest: 10_250, now: clock.now, sleep: clock.sleep });
    expect([await turns.turn(), await turns.turn(), await turns.turn()]).toEqual([true, true, false]);
    expect(clock.at).toBe(10_200);
  });

  it('holds everybody back', async () => {
    const clock = aClock();
    const turns = pacer({ intervalMs: 100, latest: 20_000, now: clock.now, sleep: clock.sleep });
    await turns.turn();
    turns.holdBack(1000);
    await turns.turn();
    expect(clock.at).toBe(11_100);
  });

  it('is not hurried by a shorter hold', async () => {
    const clock = aClock();
    const turns = pacer({ intervalMs: 100, latest: 20_000, now: clock.now, sleep: clock.sleep });
    turns.holdBack(1000);
    turns.holdBack(10);
    await turns.turn();
    expect(clock.at).toBe(11_000);
  });
});
