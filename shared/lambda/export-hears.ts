import type { Job } from '../contract/job.ts';
import { faultLogged } from '../contract/log-lines.ts';
import { addMetric } from './emit-metrics.ts';
import { logFault } from './logger.ts';

/** What an export tells of besides its answer: for how long its first hour has been due, and of rows that cannot be read. */
export const exportHears = ({ job }: Job) => ({
  onOldest: (dueForMs: number): void => addMetric('OldestDue', dueForMs / 1000),
  onFault: (error: unknown): void => logFault(faultLogged, error, { job }),
});
