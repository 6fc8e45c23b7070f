import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ambient } from '../../../shared/lambda/ambient.ts';
import { noon } from '../../harness/builders.ts';
import { runAs } from './actor.ts';
import { chanceOf } from './chance.ts';
import { install } from './install.ts';
import { virtualClock } from './virtual-clock.ts';

let uninstall = () => {};
afterEach(() => uninstall());
function start(seed = 1) {
  const clock = virtualClock(noon);
  uninstall = install(clock, chanceOf(seed));
  return clock;
}

describe('the virtual clock', () => {
  it('the virtual clock runs timers in the order of their due times, without waiting', async () => {
    const clock = start();
    const seen: [string, number][] = [];
    const see = (what: string) => seen.push([what, Date.now() - noon]);
    setTimeout(see, 86_400_000, 'a day');
    setTimeout(see, 10, 'ten');
    void sleep(5, 'five').then(see);
    clearTimeout(setTimeout(see, 7, 'never'));
    await clock.run();
    expect(seen).toEqual([
      ['five', 5],
      ['ten', 10],
      ['a day', 86_400_000],
    ]);
  });

  it('the virtual clock advances only after all current work is done', async () => {
    const clock = start();
    const times: number[] = [];
    setTimeout(() => times.push(Date.now() - noon), 1);
    void (async () => {
      for (let step = 0; step < 1000; step++) await null;
      times.push(Date.now() - noon);
      await sleep(0);
      times.push(Date.now() - noon);
    })();
    await clock.run();
    expect(times).toEqual([0, 0, 1]);
  });

  it("the virtual clock shows each actor the actor's own time, and ignores the timers of an actor that has ended", async () => {
    const clock = start();
    const actor = { name: 'instance', skewMs: -1500, isOver: false };
    const seen: number[] = [];
    runAs(actor, () => {
      setTimeout(() => seen.push(Date.now() - noon), 1000);
      setTimeout(() => seen.push(Date.now() - noon), 5000);
      void sleep(3000).then(() => seen.push(Date.now() - noon));
    });
    setTimeout(() => seen.push(Date.now() - noon), 2000);
    setTimeout(() => {
      actor.isOver = true;
    }, 4000);
    await clock.run();
    expect(seen).toEqual([-500, 2000, 1500]);
  });

  it("uninstalling the virtual clock restores the process's clock and randomness", async () => {
    start();
    uninstall();
    expect(Math.abs(Date.now() - noon)).toBeGreaterThan(86_400_000);
    expect(randomBytes(8).equals(randomBytes(8))).toBe(false);
    await sleep(1);
  });
});

describe('chance', () => {
  const drawn = (seed: number) => {
    start(seed);
    const digits = Array.from({ length: 9 }, ambient.randomDigit).join('');
    const all = [ambient.newId(), ambient.jitter(), digits, Buffer.from(ambient.randomBytes(32)).toString('hex')];
    uninstall();
    return all;
  };

  it('the same seed produces the same random values throughout the product', () => {
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
  });

  it('a source of randomness returns uniformly distributed integers, and returns keys in proportion to their weights', () => {
    const chance = chanceOf(3);
    const drawn = Array.from({ length: 6000 }, () => chance.int(0, 5));
    const often = [0, 1, 2, 3, 4, 5].map((value) => drawn.filter((one) => one === value).length);
    expect(Math.min(...often)).toBeGreaterThan(850);
    const weighed = Array.from({ length: 4000 }, () => chance.weighed({ seldom: 1, often: 3 }));
    const seldom = weighed.filter((one) => one === 'seldom').length;
    expect([seldom > 850, seldom < 1150]).toEqual([true, true]);
  });
});
