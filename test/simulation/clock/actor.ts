import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * An actor with its own clock, which may differ from the simulated time. After the actor has ended, its timers do not
 * run and its calls do not return.
 */
export interface Actor {
  readonly name: string;
  /** The number of milliseconds by which the actor's clock is ahead of the simulated time. */
  readonly skewMs: number;
  isOver: boolean;
}

const actors = new AsyncLocalStorage<Actor | undefined>();

/** Returns the current actor, or undefined if the simulation itself is running. */
export const currentActor = (): Actor | undefined => actors.getStore();

/** Runs code as the given actor, including the code's timers and promises. */
export const runAs = <Result>(actor: Actor | undefined, run: () => Result): Result => actors.run(actor, run);

/** Returns a new promise that never resolves. A shared promise would keep everything that waits for it in memory. */
export const neverResolves = (): Promise<never> => new Promise(() => {});
