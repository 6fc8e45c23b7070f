import { describe, expect, it } from 'vitest';
import { partitionedCapacity } from './capacity-model.ts';

const second = 1000;
const minute = 60 * second;

/** Returns simulated tables with a clock that the test sets in milliseconds. `write` counts the accepted writes. */
function start(warm?: number) {
  const clock = { at: 0 };
  let throttled = 0;
  const onThrottle = () => {
    throttled += 1;
  };
  const capacity = partitionedCapacity({ now: () => clock.at, warmWrites: () => warm, onThrottle });
  const write = (keyOf: (index: number) => string, times: number): number => {
    let given = 0;
    for (let index = 0; index < times; index += 1) {
      const charge = { table: 'deliveries', index: undefined, key: keyOf(index), of: 'writes', units: 1 } as const;
      if (capacity.take([charge]) === undefined) given += 1;
    }
    return given;
  };
  return { clock, capacity, write, throttled: () => throttled };
}

const one = () => 'one';
const spread = (index: number) => `key-${index}`;

describe('an on-demand table', () => {
  it("an on-demand table accepts at most 1,000 writes per second to one key, whatever the table's capacity", () => {
    const { clock, write, throttled } = start(40_000);
    expect(write(one, 3000)).toBe(1000);
    expect(throttled()).toBe(2000);
    clock.at += second / 2;
    expect(write(one, 3000)).toBe(500);
  });

  it('a new on-demand table accepts about 4,000 writes per second to different keys', () => {
    const { write } = start();
    const given = write(spread, 20_000);
    expect([given > 3900, given <= 4000]).toEqual([true, true]);
  });

  it('an on-demand table accepts writes up to the warm throughput immediately', () => {
    const { write } = start(10_000);
    const given = write(spread, 30_000);
    expect([given > 9800, given <= 10_000]).toEqual([true, true]);
  });

  it('an on-demand table accepts twice its previous peak after half an hour', () => {
    const { clock, write } = start();
    write(spread, 20_000);
    clock.at += 31 * minute;
    const given = write(spread, 40_000);
    expect([given > 7500, given <= 8100]).toEqual([true, true]);
  });

  it('an on-demand table accepts more writes after a hot partition is split, but no more writes to a hot key', () => {
    const { clock, write } = start();
    const hot = Array.from({ length: 400 }, (_, index) => `key-${index}`).filter((_, index) => index % 2 === 0);
    const before = write((index) => hot[index % hot.length] as string, 20_000);
    for (const end = clock.at + 6 * minute; clock.at < end; clock.at += 5 * second)
      write((index) => hot[index % hot.length] as string, 8000);
    clock.at += second;
    expect(write((index) => hot[index % hot.length] as string, 20_000)).toBeGreaterThan(before);
    clock.at += second;
    expect(write(one, 5000)).toBe(1000);
  });

  it('an on-demand table charges nothing for a request that exceeds the capacity of one key', () => {
    const { capacity, write } = start();
    write(one, 1000);
    const charge = (key: string) => ({ table: 'deliveries', index: undefined, key, of: 'writes', units: 1 }) as const;
    expect(capacity.take([charge('other'), charge('one')])).toEqual(charge('one'));
    expect(write(() => 'other', 2000)).toBe(1000);
  });
});
