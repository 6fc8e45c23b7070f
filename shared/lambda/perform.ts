import middy from '@middy/core';
import type * as z from 'zod/mini';
import type { Job } from '../contract/job.ts';
import { faultLogged } from '../contract/log-lines.ts';
import type { Store } from '../contract/store.ts';
import { Fault } from '../model/faults.ts';
import { inInvocation } from './in-invocation.ts';
import { killedAtTheEnd } from './killed-at-the-end.ts';
import { logFault, logInfo } from './log.ts';
import { tellsMetrics } from './metrics.ts';
import { lazyTools, type ToolsOf } from './open-tools.ts';

function readInput<const J extends Job>({ job, input }: J, event: unknown): z.output<J['input']> {
  const read = input.safeParse(event);
  if (read.success) return read.data;
  throw new Fault('unreadableInput', { job }, read.error);
}

/**
 * Makes the Lambda handler of a job. The given function gets the input, checked, and answers a summary, which is logged
 * and returned to whoever invoked it. What it throws is logged as a fault, and thrown again.
 */
export function perform<
  const J extends Job,
  const Stores extends readonly Store[],
  Summary extends Record<string, number | string>,
>(
  job: J,
  stores: Stores,
  handle: (input: z.output<J['input']>, tools: ToolsOf<J, Stores>) => Promise<Summary>,
): (event: unknown) => Promise<Summary> {
  const tools = lazyTools(job, stores);
  const work = async (event: unknown): Promise<Summary> => {
    const summary = await handle(readInput(job, event), tools());
    logInfo('performed', { job: job.job, ...summary });
    return summary;
  };
  // The types of middy ask callers for the context, too, which operators' tools and tests need not give.
  const onError = ({ error }: { error: unknown }) => logFault(faultLogged, error, { job: job.job });
  return middy<unknown, Summary>({ ...killedAtTheEnd, ...tellsMetrics })
    .onError(onError)
    .handler((event, context) => inInvocation(context, () => work(event))) as unknown as (
    event: unknown,
  ) => Promise<Summary>;
}
