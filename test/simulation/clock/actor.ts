import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * An actor with its own clock, which may be wrong. After the actor has ended, its timers do not fire and its calls do
 * not return.
 */
export interface Actor {
  readonly name: string;
  /** How far the actor's clock is ahead of the true time, in milliseconds. */
  readonly skewMs: number;
  isOver: boolean;
}

const actors = new AsyncLocalStorage<Actor | undefined>();

/** Returns the current actor, or undefined for the simulation itself. */
export const currentActor = (): Actor | undefined => actors.getStore();

/** Runs code, including its timers and promises, as this actor. */
export const runAs = <Result>(actor: Actor | undefined, run: () => Result): Result => actors.run(actor, run);

export const neverResolves = new Promise<never>(() => {});
