import { afterAll, beforeAll, vi } from 'vitest';
import { noon } from './builders.ts';

/** A simulated clock for this process and its queues. The clock starts at noon and moves only when a test moves it. */
export function useClock() {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: noon });
  });
  afterAll(() => {
    vi.useRealTimers();
  });
  const moveTo = (at: number): void => void vi.setSystemTime(at);
  return {
    /** Epoch milliseconds. */
    now: () => Date.now(),
    pass: (ms: number): void => moveTo(Date.now() + ms),
    moveTo,
  };
}

export type Clock = ReturnType<typeof useClock>;
