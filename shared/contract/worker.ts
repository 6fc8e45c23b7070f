import type * as z from 'zod/mini';
import type { CapabilityName } from './capabilities.ts';
import type { QueueName } from './queues.ts';
import type { SettingName } from './settings.ts';

/** A function that is fed by a queue. */
export interface Worker {
  readonly worker: string;
  /** The function's file under functions/, without its ending. */
  readonly file: string;
  readonly queue: QueueName;
  // biome-ignore lint/suspicious/noExplicitAny: any schema may stand here
  readonly payload: z.ZodMiniType<any, any>;
  readonly batchSize: number;
  /** How many copies run at once at the most. */
  readonly maxConcurrency: number;
  readonly uses: readonly CapabilityName[];
  readonly reads: readonly SettingName[];
  readonly impact: string;
  /** True where an attempt may take as long as a receiver may: the function's time follows that setting. */
  readonly waitsForReceivers: boolean;
}

export const defineWorker = <const W extends Worker>(worker: W): W => worker;
