import { AsyncLocalStorage } from 'node:async_hooks';

const timeLeft = new AsyncLocalStorage<() => number>();

/**
 * Runs code as part of one invocation. Everything that it starts can read the remaining time, even if a process runs
 * several invocations at once.
 * @param leftMs returns the milliseconds until the invocation is stopped
 */
export const withinInvocation = <Result>(leftMs: () => number, run: () => Result): Result => timeLeft.run(leftMs, run);

/** Returns the milliseconds until the current invocation is stopped, or undefined outside an invocation. */
export const timeLeftMs = (): number | undefined => timeLeft.getStore()?.();

/**
 * Returns a function that reads the remaining time of the current invocation, even when called outside its call chain.
 * Outside an invocation, the time is unlimited.
 */
export const timeOfInvocation = (): (() => number) => timeLeft.getStore() ?? (() => Number.POSITIVE_INFINITY);

const givenUp = new WeakSet<object>();

/** Marks an error that would have been retried if there had been time. */
export const markGivenUp = (error: object): void => void givenUp.add(error);

/** Returns whether an operation failed only for lack of time, with a temporary error such as throttling. */
export const isGivenUp = (error: unknown): boolean => givenUp.has(Object(error));
