import middy from '@middy/core';
import type * as z from 'zod/mini';
import type { Job } from '../contract/job.ts';
import type { Store } from '../contract/store.ts';
import { logInfo } from './log.ts';
import { lazyTools, type ToolsOf } from './open-tools.ts';

/**
 * Makes the Lambda handler of a job. The given function gets the input, checked, and answers a summary, which is logged
 * and returned to whoever invoked it.
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
    const summary = await handle(job.input.parse(event), tools());
    logInfo('performed', { job: job.job, ...summary });
    return summary;
  };
  // The types of middy ask callers for the context, too, which the work does not read.
  return middy<unknown, Summary>().handler(work) as unknown as (event: unknown) => Promise<Summary>;
}
