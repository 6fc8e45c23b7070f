import type * as z from 'zod/mini';
import type { Job } from '../contract/background-functions.ts';
import type { Store } from '../contract/define-store.ts';
import { InternalError } from '../domain/internal-errors.ts';
import { backgroundHandler } from './in-invocation.ts';
import { logInfo } from './logger.ts';
import { lazyTools, type ToolsOf } from './open-tools.ts';

/** A page of rows that a job returns to the operator but does not log. */
interface Rows {
  readonly rows: readonly object[];
  readonly next: string | undefined;
}

type Summary = Readonly<Record<string, number | string>>;

const isRows = (result: Summary | Rows): result is Rows => Array.isArray(result.rows);

const loggable = (result: Summary | Rows): Summary => (isRows(result) ? { rows: result.rows.length } : result);

/**
 * Creates the Lambda handler of a job. `handle` receives the validated input and returns a summary or a page of rows.
 * The summary, or the number of rows in a page, is also logged. Errors are logged and thrown again.
 */
export function perform<const J extends Job, const Stores extends readonly Store[], Result extends Summary | Rows>(
  job: J,
  stores: Stores,
  handle: (input: z.output<J['input']>, tools: ToolsOf<J, Stores>) => Promise<Result>,
): (event: unknown) => Promise<Result> {
  const tools = lazyTools(job, stores);
  const work = async (event: unknown): Promise<Result> => {
    const input = job.input.safeParse(event);
    if (!input.success) throw new InternalError('unreadableInput', { job: job.job }, input.error);
    const result = await handle(input.data, tools());
    logInfo('performed', { job: job.job, ...loggable(result) });
    return result;
  };
  return backgroundHandler({ job: job.job }, work);
}
