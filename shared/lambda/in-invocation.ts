import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { internalErrorLogged } from '../contract/log-lines.ts';
import { InternalError } from '../domain/internal-errors.ts';
import { writesMetrics } from './emit-metrics.ts';
import { logError } from './logger.ts';
import { withinInvocation } from './time-left.ts';

/** The part of the Lambda context that provides the remaining time. Tests and jobs may omit the context. */
type Timed = Partial<Pick<Context, 'getRemainingTimeInMillis'>> | undefined;

/** Runs a handler in a context where all code that it calls can read the remaining time of the invocation. */
const inInvocation = <Result>(context: Timed, run: () => Result): Result =>
  context?.getRemainingTimeInMillis === undefined
    ? run()
    : withinInvocation(() => context.getRemainingTimeInMillis?.() ?? 0, run);

/** A Lambda handler without a waiting caller. Tools and tests may omit the context. */
export type BackgroundHandler<Event, Result> = (event: Event, context?: Context) => Promise<Result>;

/**
 * Creates the Lambda handler of a worker or job. Errors are logged with the given fields and thrown again.
 *
 * Middy's early timeout is disabled, so that Lambda itself stops the function when its time runs out. After an early
 * rejection, Lambda would freeze the instance, and the next invocation would resume unfinished work whose leases have
 * expired.
 */
export function backgroundHandler<Event, Result>(
  fields: Parameters<typeof logError>[2],
  work: (event: Event) => Promise<Result>,
): BackgroundHandler<Event, Result> {
  return middy<Event, Result>({ timeoutEarlyInMillis: 0, ...writesMetrics })
    .onError(({ error }) => logError(internalErrorLogged, error, fields))
    .handler((event, context) => inInvocation(context, () => work(event))) as unknown as BackgroundHandler<
    Event,
    Result
  >;
}

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
