import type * as z from 'zod/mini';
import type { CapabilityName } from './capabilities.ts';
import type { SettingName } from './settings.ts';

/** A function that runs by the clock, or when an operator invokes it. */
export interface Job {
  readonly job: string;
  /** The function's file under functions/, without its ending. */
  readonly file: string;
  /** Minutes between two runs; missing: an operator invokes it. */
  readonly everyMinutes?: number;
  // biome-ignore lint/suspicious/noExplicitAny: any schema may stand here
  readonly input: z.ZodMiniType<any, any>;
  readonly timeoutSeconds: number;
  /** Of 512 where it says nothing. */
  readonly memoryMegabytes?: number;
  readonly uses: readonly CapabilityName[];
  readonly reads: readonly SettingName[];
  readonly impact: string;
}

/** Keeps in the type what a job declares: its input, capabilities and settings. */
export const defineJob = <const J extends Job>(job: J): J => job;
