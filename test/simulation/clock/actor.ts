import { AsyncLocalStorage } from 'node:async_hooks';

/** An actor with its own, possibly wrong clock. When over, its timers and calls end silently. */
export interface Actor {
  readonly name: string;
  /** How far its clock is ahead of the true time, in milliseconds. */
  readonly skewMs: number;
  isOver: boolean;
}

const actors = new AsyncLocalStorage<Actor | undefined>();

/** The current actor, or undefined for the simulation itself. */
export const currentActor = (): Actor | undefined => actors.getStore();

/** Runs code, and everything that follows from it, as this actor. */
export const runAs = <Result>(actor: Actor | undefined, run: () => Result): Result => actors.run(actor, run);

export const neverResolves = new Promise<never>(() => {});
