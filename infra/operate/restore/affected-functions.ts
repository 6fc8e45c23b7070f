import type { Job } from '../../../shared/contract/background-functions.ts';
import {
  actionsOf,
  type Capability,
  type CapabilityName,
  capabilities,
} from '../../../shared/contract/capabilities.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import { jobs, sweep } from '../../../shared/contract/jobs.ts';
import type { TableName } from '../../../shared/contract/tables.ts';
import { workerLanes } from '../../../shared/contract/workers.ts';

const writing = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'].map((action) => `dynamodb:${action}`);

const uses = (table: TableName, names: readonly CapabilityName[]): Capability[] =>
  names.map((name): Capability => capabilities[name]).filter((one) => 'table' in one && one.table === table);

const isUsing = (table: TableName, names: readonly CapabilityName[]): boolean => uses(table, names).length > 0;
const isWriting = (table: TableName, names: readonly CapabilityName[]): boolean =>
  uses(table, names).some((one) => actionsOf(one).some((action) => writing.includes(action)));

/**
 * The tables that API functions may write to during a restore. Every request about a person writes to `journal`, and
 * every search writes to `limits`. Published events wait in a queue until deliveries are restored.
 */
const servedMeanwhile: readonly TableName[] = ['journal', 'limits', 'deliveries'];

/** The names of the functions that must not run while a table is restored. */
export interface AffectedFunctions {
  readonly usesSweeper: boolean;
  /** The scheduled jobs except the sweeper. The next run of a job also does the work of missed runs. */
  readonly jobs: readonly string[];
  readonly api: readonly string[];
  readonly workers: readonly string[];
}

/**
 * Finds the functions that must not run while a table is restored: API functions that write to the table, and scheduled
 * jobs and workers that use the table. Jobs and workers can wait. During a restore, jobs and workers would process
 * wrong rows.
 */
export function affectedFunctions(table: TableName): AffectedFunctions {
  const scheduled = (jobs as readonly Job[])
    .filter((job) => job.everyMinutes !== undefined && isUsing(table, job.uses))
    .map(({ job }) => job);
  const writers = servedMeanwhile.includes(table) ? [] : endpoints.filter((one) => isWriting(table, one.uses));
  return {
    usesSweeper: scheduled.includes(sweep.job),
    jobs: scheduled.filter((job) => job !== sweep.job),
    api: writers.map(({ operation }) => operation),
    workers: workerLanes.filter((worker) => isUsing(table, worker.uses)).map(({ lane }) => lane),
  };
}
