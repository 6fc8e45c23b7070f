import { AsyncLocalStorage } from 'node:async_hooks';

const timeLeft = new AsyncLocalStorage<() => number>();

/**
 * Runs what belongs to one invocation of a function, of which `leftMs` says the milliseconds until it is stopped. Whatever is
 * begun within knows that, through as many calls as lie between, and of however many invocations a process has at once.
 */
export const withinInvocation = <Result>(leftMs: () => number, run: () => Result): Result => timeLeft.run(leftMs, run);

/** Milliseconds until the invocation that this belongs to is stopped; undefined outside of one. */
export const timeLeftMs = (): number | undefined => timeLeft.getStore()?.();

/**
 * How much time the invocation that this belongs to has, for later too, when it may belong to a part of that; outside of
 * one without end.
 */
export const timeOfInvocation = (): (() => number) => timeLeft.getStore() ?? (() => Number.POSITIVE_INFINITY);

const givenUp = new WeakSet<object>();

/** Notes that what failed with this error would have been tried again, had there been time. */
export const noteGivenUp = (error: object): void => void givenUp.add(error);

/** Whether only time was lacking: what failed, and by this error, passes by itself, such as throttling. */
export const isGivenUp = (error: unknown): boolean => givenUp.has(Object(error));
