import { Heap } from './heap.ts';
import { actAs, actor, type Life } from './life.ts';

/** Something that will happen. */
interface Entry {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  readonly life: Life | undefined;
  isCancelled: boolean;
}

export type Timer = Pick<Entry, 'at'>;

/** What simulated services need of a clock. */
export interface Clock {
  /** The true time, epoch milliseconds; may have a fraction. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

export interface VirtualClock extends Clock {
  /** Runs something after so long, unless it is cancelled, or whoever asks for it is over by then. */
  after(ms: number, run: () => void): Timer;
  cancel(timer: Timer): void;
  /**
   * Lets time pass from one entry to the next, until nothing is left, `until` is reached, or `isDone` says so. It passes
   * only when everything that could be done at this moment is done.
   */
  run(options?: { readonly until?: number; readonly isDone?: () => boolean }): Promise<void>;
  /** How many entries have been run. */
  readonly steps: number;
  /** How many entries wait. */
  readonly pending: number;
  /** Forgets everything that waits. */
  clear(): void;
}

// Kept aside: the globals may be replaced while a clock is installed.
const { setImmediate } = globalThis;
/** Resolves when all microtasks are done, and what they began. */
const drained = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** A clock that costs no time: it jumps to whatever is due next. The same entries are always run in the same order. */
export function virtualClock(startAt: number): VirtualClock {
  const entries = new Heap<Entry>();
  let [now, order, steps] = [startAt, 0, 0];

  function after(ms: number, run: () => void): Timer {
    const entry = { at: now + Math.max(0, ms), order: order++, run, life: actor(), isCancelled: false };
    entries.push(entry);
    return entry;
  }

  function fire({ run, life, isCancelled }: Entry): void {
    if (isCancelled || life?.isOver) return;
    steps += 1;
    if (life === undefined) run();
    else actAs(life, run);
  }

  return {
    now: () => now,
    after,
    sleep: (ms) => new Promise((resolve) => void after(ms, resolve)),
    cancel(timer) {
      (timer as Entry).isCancelled = true;
    },
    async run({ until = Number.POSITIVE_INFINITY, isDone = () => false } = {}) {
      for (;;) {
        await drained();
        while (entries.peek()?.isCancelled) entries.pop();
        const next = entries.peek();
        if (isDone()) return;
        if (next === undefined || next.at > until) break;
        now = Math.max(now, next.at);
        for (let due = entries.peek(); due !== undefined && due.at <= now; due = entries.peek()) {
          entries.pop();
          fire(due);
        }
      }
      if (Number.isFinite(until)) now = Math.max(now, until);
    },
    get steps() {
      return steps;
    },
    get pending() {
      return entries.size;
    },
    clear: () => entries.clear(),
  };
}
