import type * as z from 'zod/mini';
import type { CapabilityName } from './capabilities.ts';
import type { QueueName } from './queues.ts';
import type { SettingName } from './settings.ts';

/**
 * One deployment of a worker: a function of its own with its own queue, memory and concurrency. The code does not know in
 * which lane it runs.
 */
interface WorkerLane {
  /** The function's name. */
  readonly lane: string;
  readonly queue: QueueName;
  readonly memoryMegabytes: number;
  /** How many copies run at once at the most. */
  readonly maxConcurrency: number;
  /** Messages that a copy takes at once, where they are others than the worker's. */
  readonly batchSize?: number;
  /** How long a batch may wait to be filled: SQS asks for a second where it has more than ten. */
  readonly batchingSeconds?: number;
  readonly impact: string;
}

/** Code that is fed by queues. */
export interface Worker {
  readonly worker: string;
  /** The function's file under functions/, without its ending. */
  readonly file: string;
  // biome-ignore lint/suspicious/noExplicitAny: any schema may stand here
  readonly payload: z.ZodMiniType<any, any>;
  readonly batchSize: number;
  readonly lanes: readonly WorkerLane[];
  readonly uses: readonly CapabilityName[];
  readonly reads: readonly SettingName[];
}

/** Keeps in the type what a worker declares: its payload, lanes, capabilities and settings. */
export const defineWorker = <const W extends Worker>(worker: W): W => worker;
