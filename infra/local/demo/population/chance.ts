import { checkDigitOf } from '../../../../shared/domain/persons/check-digit.ts';

/** Choices that a seed determines. */
export interface Chance {
  /** From 0 up to 1, without 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** True in this share of cases. */
  is(share: number): boolean;
  one<Value>(values: readonly Value[]): Value;
  /** A rank from 0 to `count` - 1, the n-th as likely as 1/n: names and places are spread like that (Zipf). */
  rank(count: number): number;
}

/** Mulberry32. */
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

/** The n-th of a registry's UINs: no two are equal, and nothing in one tells the next. */
export function uinAt(index: number): string {
  const scattered = (BigInt(index) * 7_368_787_133n + 12_345_678_901n) % numbers;
  const digits = String(10_000_000_000n + scattered);
  return digits + checkDigitOf(digits);
}
