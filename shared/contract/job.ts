import type * as z from 'zod/mini';
import type { Declared } from './capabilities.ts';
import type { Area } from './endpoints.ts';
import { kebabCase } from './name-cases.ts';

/** The memory that gives a function one full core (Lambda Developer Guide, "Configure Lambda function memory"). */
export const oneCoreMegabytes = 1769;

/** The memory of a function that declares none. */
export const usualMegabytes = 512;

/** A function that runs on a schedule or is invoked by an operator. */
export interface Job extends Declared {
  readonly job: string;
  /** The path of the function under `functions/`, without `.ts`. */
  readonly file: string;
  /** The number of minutes between scheduled runs; undefined if an operator invokes the job. */
  readonly everyMinutes?: number;
  // biome-ignore lint/suspicious/noExplicitAny: every schema is allowed here
  readonly input: z.ZodMiniType<any, any>;
  readonly timeoutSeconds: number;
  /** The default is `usualMegabytes`. */
  readonly memoryMegabytes?: number;
  readonly impact: string;
}

/**
 * Defines a job and keeps the exact types of its input, capabilities and settings.
 * @param area the folder of the function under `functions/`; the name of the job determines the file name
 */
export const defineJob = <const J extends Omit<Job, 'file'>>(area: Area, job: J) => ({
  ...job,
  file: `${area}/${kebabCase(job.job)}`,
});
