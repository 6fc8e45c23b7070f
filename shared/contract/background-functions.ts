import type { Declared } from './capabilities.ts';
import type { Area } from './endpoints.ts';
import { kebabCase } from './name-cases.ts';
import type { QueueName } from './queue-names.ts';
import type { Schema } from './schemas.ts';

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
  readonly input: Schema;
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

/**
 * A lane is one deployment of a worker: a function with its own queue, memory and concurrency. All lanes of a worker
 * run the same code.
 */
interface WorkerLane {
  /** The name of the function. The default is the name of the worker. */
  readonly lane?: string;
  readonly queue: QueueName;
  /** The default is `usualMegabytes`. */
  readonly memoryMegabytes?: number;
  /** The maximum number of concurrent instances of the function. */
  readonly maxConcurrency: number;
  /** The batch size of the lane, if it differs from the batch size of the worker. */
  readonly batchSize?: number;
  /**
   * The number of seconds that SQS may wait to fill a batch. SQS requires at least one second for batches of more than
   * ten messages.
   */
  readonly batchingSeconds?: number;
  readonly impact: string;
}

/** A worker is code that processes messages from queues. */
export interface Worker extends Declared {
  readonly worker: string;
  /** The path of the function under `functions/`, without `.ts`. */
  readonly file: string;
  readonly payload: Schema;
  readonly batchSize: number;
  readonly lanes: readonly WorkerLane[];
}

/**
 * Defines a worker and keeps the exact types of its payload, lanes, capabilities and settings.
 * @param area the folder of the function under `functions/`; the name of the worker determines the file name
 */
export const defineWorker = <const W extends Omit<Worker, 'file'>>(area: Area, worker: W) => ({
  ...worker,
  file: `${area}/${kebabCase(worker.worker)}`,
});
