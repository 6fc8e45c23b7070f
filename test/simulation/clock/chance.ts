/** A repeatable source of randomness: the same seed produces the same values in the same order. */
export interface Chance {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns an integer from `min` to `max`, inclusive. */
  int(min: number, max: number): number;
  happens(probability: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
  /** Returns one of the keys. The probability of each key is proportional to its weight. */
  weighed<Key extends string>(weights: Readonly<Record<Key, number>>): Key;
  shuffle<Value>(values: readonly Value[]): Value[];
  bytes(count: number): Uint8Array;
  /** Returns an independent source of randomness. Later values from this source do not affect the new source. */
  fork(): Chance;
}

/** Returns a source of randomness for the given seed (sfc32 from PractRand, seeded by splitmix32). */
export function chanceOf(seed: number): Chance {
  let mixing = seed >>> 0;
  const mixed = (): number => {
    mixing = (mixing + 0x9e3779b9) >>> 0;
    let value = Math.imul(mixing ^ (mixing >>> 16), 0x21f0aaad);
    value = Math.imul(value ^ (value >>> 15), 0x735a2d97);
    return (value ^ (value >>> 15)) >>> 0;
  };
  let [a, b, c, counter] = [mixed(), mixed(), mixed(), 1];
  const word = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round++) word();

  const next = (): number => word() / 2 ** 32;
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    int,
    happens: (probability) => next() < probability,
    pick: <Value>(values: readonly Value[]): Value => values[int(0, values.length - 1)] as Value,
    weighed<Key extends string>(weights: Readonly<Record<Key, number>>): Key {
      const entries = Object.entries(weights) as [Key, number][];
      let rest = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [key, weight] of entries) {
        rest -= weight;
        if (rest < 0) return key;
      }
      return entries.at(-1)?.[0] as Key;
    },
    shuffle(values) {
      const all = [...values];
      for (let last = all.length - 1; last > 0; last--) {
        const other = int(0, last);
        [all[last], all[other]] = [all[other] as never, all[last] as never];
      }
      return all;
    },
    bytes: (count) => Uint8Array.from({ length: count }, () => word() & 0xff),
    fork: () => chanceOf(word()),
  };
}
