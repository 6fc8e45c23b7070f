import type { Context } from 'aws-lambda';
import { Fault } from '../model/faults.ts';
import { withinInvocation } from './time-left.ts';

/** What Lambda says of an invocation; callers of tests and jobs need not. */
type Timed = Partial<Pick<Context, 'getRemainingTimeInMillis'>> | undefined;

/** Runs a handler so that what it calls knows how long the invocation still has. */
export const inInvocation = <Result>(context: Timed, run: () => Result): Result =>
  context?.getRemainingTimeInMillis === undefined
    ? run()
    : withinInvocation(() => context.getRemainingTimeInMillis?.() ?? 0, run);

// Enough to write the answer and the log line.
const marginMs = 250;

/**
 * The same for an answer that somebody waits for: it is given up in time to say so, which Lambda, who stops a function without a
 * word, would not. @throws Fault `outOfTime`
 */
export async function inTime<Result>(
  context: Timed,
  operation: string,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  const leftMs = context?.getRemainingTimeInMillis?.();
  if (leftMs === undefined) return run();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Fault('outOfTime', { operation })), Math.max(0, leftMs - marginMs));
  try {
    return await Promise.race([inInvocation(context, run), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
