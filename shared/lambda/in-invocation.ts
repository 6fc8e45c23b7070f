import type { Context } from 'aws-lambda';
import { InternalError } from '../domain/internal-errors.ts';
import { withinInvocation } from './time-left.ts';

/**
 * Disables middy's early timeout for workers and jobs, so that Lambda itself stops them when their time runs out. After
 * an early rejection, Lambda would freeze the instance, and the next invocation would resume unfinished work whose
 * leases have expired.
 */
export const withoutEarlyTimeout = { timeoutEarlyInMillis: 0 } as const;

/** The part of the Lambda context that provides the remaining time. Tests and jobs may omit the context. */
type Timed = Partial<Pick<Context, 'getRemainingTimeInMillis'>> | undefined;

/** Runs a handler in a context where all code that it calls can read the remaining time of the invocation. */
export const inInvocation = <Result>(context: Timed, run: () => Result): Result =>
  context?.getRemainingTimeInMillis === undefined
    ? run()
    : withinInvocation(() => context.getRemainingTimeInMillis?.() ?? 0, run);

// The margin leaves enough time to write the response and the log line.
const marginMs = 250;

/**
 * Runs a handler whose caller is waiting. Rejects shortly before Lambda would stop the function without a response.
 * @throws InternalError `outOfTime`
 */
export async function inTime<Result>(
  context: Timed,
  operation: string,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  const leftMs = context?.getRemainingTimeInMillis?.();
  if (leftMs === undefined) return run();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new InternalError('outOfTime', { operation })),
    Math.max(0, leftMs - marginMs),
  );
  try {
    return await Promise.race([inInvocation(context, run), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
