import { afterAll, beforeAll, vi } from 'vitest';
import { noon } from './builders.ts';

/** The clock of this process, and so of its queues: it stands at noon, and moves when the test says so. */
export function useClock() {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: noon });
  });
  afterAll(() => {
    vi.useRealTimers();
  });
  const moveTo = (at: number): void => void vi.setSystemTime(at);
  return {
    /** Epoch milliseconds, as for everybody in this process. */
    now: () => Date.now(),
    pass: (ms: number): void => moveTo(Date.now() + ms),
    moveTo,
  };
}

export type Clock = ReturnType<typeof useClock>;
