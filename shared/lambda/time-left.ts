import { AsyncLocalStorage } from 'node:async_hooks';

interface Invocation {
  readonly leftMs: () => number;
  /** True if throttled requests must give way to requests from other work. */
  readonly isYielding: boolean;
}

const invocation = new AsyncLocalStorage<Invocation>();

/**
 * Calls `run` as part of one invocation. All code that `run` starts can read the remaining time, even if a process runs
 * several invocations at once.
 * @param leftMs returns the milliseconds until the invocation is stopped
 */
export const withinInvocation = <Result>(leftMs: () => number, run: () => Result): Result =>
  invocation.run({ leftMs, isYielding: false }, run);

/**
 * Like `withinInvocation`, but for work that has not contacted a receiver yet. If DynamoDB throttles requests, such
 * work waits longer than the recording of finished attempts, so that records are written first. This applies across all
 * functions.
 */
export const yieldingToRecords = <Result>(leftMs: () => number, run: () => Result): Result =>
  invocation.run({ leftMs, isYielding: true }, run);

export const isYielding = (): boolean => invocation.getStore()?.isYielding ?? false;

/** Returns the milliseconds until Lambda stops the current invocation, or undefined outside an invocation. */
export const timeLeftMs = (): number | undefined => invocation.getStore()?.leftMs();

/**
 * Returns a function that returns the remaining time of the current invocation, even if another invocation calls this
 * function later. Outside an invocation, the time is unlimited.
 */
export const timeOfInvocation = (): (() => number) => invocation.getStore()?.leftMs ?? (() => Number.POSITIVE_INFINITY);

const givenUp = new WeakSet<object>();

/** Marks an error that was not retried because the invocation had no time left. */
export const markGivenUp = (error: object): void => void givenUp.add(error);

/** Returns whether a temporary error, such as throttling, was not retried because no time was left. */
export const isGivenUp = (error: unknown): boolean => givenUp.has(Object(error));
