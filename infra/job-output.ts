import type { Job } from '../shared/contract/job.ts';

/** The stack's output with the name of a job's function. */
export const jobOutput = ({ job }: Job): string => `${job}Function`;
