import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';

const signals = new AsyncLocalStorage<AbortSignal>();

/** Runs work in which `eventually` makes no more attempts after the signal. */
export const untilAborted = <Value>(signal: AbortSignal, work: () => Value): Value => signals.run(signal, work);

/** Repeats an attempt until it succeeds, and then returns its result. */
export function eventually<Value>(attempt: () => Value | Promise<Value>, timeout = 240_000): Promise<Value> {
  const signal = signals.getStore();
  const attemptUnlessAborted = () => {
    signal?.throwIfAborted();
    return attempt();
  };
  return vi.waitFor(attemptUnlessAborted, { timeout, interval: 40 });
}
