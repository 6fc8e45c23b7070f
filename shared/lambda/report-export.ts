import type { Job } from '../contract/background-functions.ts';
import { internalErrorLogged } from '../contract/log-lines.ts';
import { addMetric } from './emit-metrics.ts';
import { logError } from './logger.ts';

/** Creates the callbacks with which an export reports unreadable rows and the age of the oldest hour that is due. */
export const exportReports = ({ job }: Job) => ({
  onOldest: (dueForMs: number): void => addMetric('OldestDue', dueForMs / 1000),
  onError: (error: unknown): void => logError(internalErrorLogged, error, { job }),
});
