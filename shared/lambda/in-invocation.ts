import type { Context } from 'aws-lambda';
import { InternalError } from '../domain/internal-errors.ts';
import { withinInvocation } from './time-left.ts';

/**
 * Disables middy's early timeout for workers and jobs, so that Lambda stops them at the end of their time. If middy
 * rejected their promise earlier, Lambda would freeze the copy, and its next invocation would continue unfinished work
 * whose leases have expired.
 */
export const withoutEarlyTimeout = { timeoutEarlyInMillis: 0 } as const;

/** The part of the Lambda context that is used. Tests and jobs can omit it. */
type Timed = Partial<Pick<Context, 'getRemainingTimeInMillis'>> | undefined;

/** Runs a handler so that the code it calls can read the remaining time of the invocation. */
export const inInvocation = <Result>(context: Timed, run: () => Result): Result =>
  context?.getRemainingTimeInMillis === undefined
    ? run()
    : withinInvocation(() => context.getRemainingTimeInMillis?.() ?? 0, run);

// Enough time to write the response and the log line.
const marginMs = 250;

/**
 * Runs a handler while its caller waits. Rejects shortly before Lambda would stop the function without a response.
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
