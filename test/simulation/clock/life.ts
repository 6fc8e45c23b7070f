import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Somebody who acts on the clock: a copy of a function, say. It has a clock of its own, which may be wrong; and once it is
 * over it acts no more: its timers do not fire, and its calls never come back.
 */
export interface Life {
  readonly name: string;
  /** How far its clock is ahead of the true time, milliseconds. */
  readonly skewMs: number;
  isOver: boolean;
}

const lives = new AsyncLocalStorage<Life | undefined>();

/** Who acts now; undefined for the simulation itself. */
export const actor = (): Life | undefined => lives.getStore();

/** Runs something, and everything that follows from it, as this life. */
export const actAs = <Result>(life: Life | undefined, run: () => Result): Result => lives.run(life, run);

/** What a dead process hears. */
export const silence = new Promise<never>(() => {});
