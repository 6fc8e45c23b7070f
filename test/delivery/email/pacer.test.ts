import { describe, expect, it } from 'vitest';
import { mailPacer } from '../../../shared/delivery/email/email-sender.ts';

/** Returns a clock that advances only when the code under test sleeps. */
function aClock(at = 10_000) {
  const clock = {
    at,
    now: () => clock.at,
    async sleep(milliseconds: number) {
      // If two sleeps overlap, the shorter sleep must not set the clock back.
      const until = clock.at + milliseconds;
      await Promise.resolve();
      clock.at = Math.max(clock.at, until);
    },
  };
  return clock;
}

describe('the pacer', () => {
  it('the pacer gives the first turn one interval after it starts, and each further turn at least one interval after the last', async () => {
    const clock = aClock();
    const turns = mailPacer({ intervalMs: 143, latest: 20_000, now: clock.now, sleep: clock.sleep });
    const at: number[] = [];
    for (let count = 0; count < 3; count++) {
      expect(await turns.turn()).toBe(true);
      at.push(clock.at);
    }
    expect(at).toEqual([10_143, 10_286, 10_429]);
    clock.at = 11_000;
    await turns.turn();
    expect(clock.at).toBe(11_000);
  });

  it('the pacer leaves one interval between turns that are requested at the same moment', async () => {
    const clock = aClock();
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => void waits.push(milliseconds);
    const turns = mailPacer({ intervalMs: 100, latest: 20_000, now: clock.now, sleep });
    await Promise.all([turns.turn(), turns.turn(), turns.turn()]);
    expect(waits).toEqual([100, 200, 300]);
  });

  it('the pacer gives no turn after the latest permitted time', async () => {
    const clock = aClock();
    const turns = mailPacer({ intervalMs: 100, latest: 10_200, now: clock.now, sleep: clock.sleep });
    expect([await turns.turn(), await turns.turn(), await turns.turn()]).toEqual([true, true, false]);
    expect(clock.at).toBe(10_200);
  });

  it('the pacer delays all turns when a delay is requested', async () => {
    const clock = aClock();
    const turns = mailPacer({ intervalMs: 100, latest: 20_000, now: clock.now, sleep: clock.sleep });
    await turns.turn();
    turns.delay(1000);
    await turns.turn();
    expect(clock.at).toBe(11_100);
  });

  it('the pacer keeps a longer delay if a shorter delay is requested', async () => {
    const clock = aClock();
    const turns = mailPacer({ intervalMs: 100, latest: 20_000, now: clock.now, sleep: clock.sleep });
    turns.delay(1000);
    turns.delay(10);
    await turns.turn();
    expect(clock.at).toBe(11_000);
  });
});
