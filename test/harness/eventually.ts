import { vi } from 'vitest';

/** Tries until it neither throws nor fails an expectation, and answers what it answered. */
export const eventually = <Value>(attempt: () => Value | Promise<Value>, timeout = 60_000): Promise<Value> =>
  vi.waitFor(attempt, { timeout, interval: 40 });
