import middy from '@middy/core';
import type * as z from 'zod/mini';
import type { Store } from '../contract/define-store.ts';
import type { Job } from '../contract/job.ts';
import { faultLogged } from '../contract/log-lines.ts';
import { Fault } from '../model/faults.ts';
import { tellsMetrics } from './emit-metrics.ts';
import { inInvocation } from './in-invocation.ts';
import { killedAtTheEnd } from './killed-at-the-end.ts';
import { logFault, logInfo } from './logger.ts';
import { lazyTools, type ToolsOf } from './open-tools.ts';

/** Rows that a job found for whoever invoked it: they are answered and not logged. */
interface Rows {
  readonly rows: readonly object[];
  readonly next: string | undefined;
}

type Summary = Readonly<Record<string, number | string>>;

const isRows = (answer: Summary | Rows): answer is Rows => Array.isArray(answer.rows);

const loggable = (answer: Summary | Rows): Summary => (isRows(answer) ? { rows: answer.rows.length } : answer);

function readInput<const J extends Job>({ job, input }: J, event: unknown): z.output<J['input']> {
  const read = input.safeParse(event);
  if (read.success) return read.data;
  throw new Fault('unreadableInput', { job }, read.error);
}

/**
 * Makes the Lambda handler of a job. The given function gets the input, checked, and answers a summary, which is logged
 * and returned to whoever invoked it; or a page of rows, of which only the number is logged. What it throws is logged as a fault, and thrown again.
 */
export function perform<const J extends Job, const Stores extends readonly Store[], Answer extends Summary | Rows>(
  job: J,
  stores: Stores,
  handle: (input: z.output<J['input']>, tools: ToolsOf<J, Stores>) => Promise<Answer>,
): (event: unknown) => Promise<Answer> {
  const tools = lazyTools(job, stores);
  const work = async (event: unknown): Promise<Answer> => {
    const answer = await handle(readInput(job, event), tools());
    logInfo('performed', { job: job.job, ...loggable(answer) });
    return answer;
  };
  // The types of middy ask callers for the context, too, which operators' tools and tests need not give.
  const onError = ({ error }: { error: unknown }) => logFault(faultLogged, error, { job: job.job });
  return middy<unknown, Answer>({ ...killedAtTheEnd, ...tellsMetrics })
    .onError(onError)
    .handler((event, context) => inInvocation(context, () => work(event))) as unknown as (
    event: unknown,
  ) => Promise<Answer>;
}
