import { vi } from 'vitest';

/** Repeats an attempt until it succeeds, and then returns its result. */
export const eventually = <Value>(attempt: () => Value | Promise<Value>, timeout = 240_000): Promise<Value> =>
  vi.waitFor(attempt, { timeout, interval: 40 });
