import { type Actor, currentActor, runAs } from './actor.ts';
import { Heap } from './heap.ts';

interface Entry {
  readonly at: number;
  readonly order: number;
  readonly run: () => unknown;
  readonly actor: Actor | undefined;
  isCancelled: boolean;
}

export type Timer = Pick<Entry, 'at'>;

/** The clock methods that simulated services use. */
export interface Clock {
  /** Returns the simulated time in epoch milliseconds, possibly with a fraction. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

export interface VirtualClock extends Clock {
  /**
   * Runs a function after a delay, unless the timer is cancelled or the current actor ends during the delay.
   * @param run returns false if it did nothing, so that the clock need not wait for other work
   */
  after(ms: number, run: () => unknown): Timer;
  cancel(timer: Timer): void;
  /**
   * Runs scheduled entries until no entry is left, the time `until` is reached, or `isDone` returns true. The time
   * advances only after all current work is done.
   */
  run(options?: { readonly until?: number; readonly isDone?: () => boolean }): Promise<void>;
  readonly steps: number;
}

// Keeps the original `setImmediate`, because `install` replaces global functions.
const { setImmediate } = globalThis;
/** Returns a promise that resolves when all microtasks are done. */
const drained = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Returns a clock that jumps to the next due entry without waiting. The order of the entries is deterministic. */
export function virtualClock(startAt: number): VirtualClock {
  const entries = new Heap<Entry>();
  let [now, order, steps] = [startAt, 0, 0];

  function after(ms: number, run: () => unknown): Timer {
    const entry = { at: now + Math.max(0, ms), order: order++, run, actor: currentActor(), isCancelled: false };
    entries.push(entry);
    return entry;
  }

  /** Runs an entry. Returns false if the entry did nothing. */
  function fire({ run, actor, isCancelled }: Entry): boolean {
    if (isCancelled || actor?.isOver) return false;
    steps += 1;
    return (actor === undefined ? run() : runAs(actor, run)) !== false;
  }

  return {
    now: () => now,
    after,
    sleep: (ms) => new Promise((resolve) => void after(ms, resolve)),
    cancel(timer) {
      (timer as Entry).isCancelled = true;
    },
    async run({ until = Number.POSITIVE_INFINITY, isDone = () => false } = {}) {
      let isWorking = true;
      for (;;) {
        if (isWorking) await drained();
        isWorking = false;
        while (entries.peek()?.isCancelled) entries.pop();
        const next = entries.peek();
        if (isDone()) return;
        if (next === undefined || next.at > until) break;
        now = Math.max(now, next.at);
        for (let due = entries.peek(); due !== undefined && due.at <= now; due = entries.peek()) {
          entries.pop();
          isWorking = fire(due) || isWorking;
        }
      }
      if (Number.isFinite(until)) now = Math.max(now, until);
    },
    get steps() {
      return steps;
    },
  };
}
