import { checkDigitOf } from '../../../../shared/domain/persons/check-digit.ts';

export interface Chance {
  /** Returns a random number that is at least 0 and less than 1. */
  next(): number;
  /** Returns a random integer from `least` to `most`, inclusive. */
  between(least: number, most: number): number;
  is(share: number): boolean;
  one<Value>(values: readonly Value[]): Value;
  /** Returns a random rank from 0 to `count` - 1. Lower ranks are more frequent, because names follow Zipf's law. */
  rank(count: number): number;
}

/** Creates a Mulberry32 random number generator. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    is: (share) => next() < share,
    one: (values) => values[Math.floor(next() * values.length)] as never,
    rank: (count) => Math.floor((count + 1) ** next()) - 1,
  };
}

const numbers = 90_000_000_000n;

/** Returns the UIN at an index of the invented registry. All UINs differ, and consecutive UINs look unrelated. */
export function uinAt(index: number): string {
  const scattered = (BigInt(index) * 7_368_787_133n + 12_345_678_901n) % numbers;
  const digits = String(10_000_000_000n + scattered);
  return digits + checkDigitOf(digits);
}
