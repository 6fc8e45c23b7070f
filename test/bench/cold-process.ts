import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { oneCoreMegabytes } from '../../shared/contract/background-functions.ts';

export interface Loaded {
  readonly wallMs: number;
  readonly cpuMs: number;
}

export interface Called extends Loaded {
  /** The status code of the response, or the error message. */
  readonly status: string;
}

/** The measurements that a function's process reports. */
export interface Told {
  readonly loaded: Loaded;
  readonly called: Called;
}

export interface ColdStart {
  readonly cpuMs: number;
  readonly initMs: number;
  /** The duration of the first call with the CPU share that Lambda assigns to the function's memory size. */
  readonly callMs: number;
  readonly status: string;
}

export interface Candidate {
  readonly name: string;
  readonly entry: string;
  readonly memoryMegabytes: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly event: unknown;
}

/** Computes the duration that a call would have with the CPU share that Lambda assigns to a memory size. */
function callMsOf({ wallMs, cpuMs }: Called, memoryMegabytes: number): number {
  const share = Math.min(1, memoryMegabytes / oneCoreMegabytes);
  return Math.max(wallMs, cpuMs / share);
}

/**
 * Starts a function in a fresh process and calls it once.
 * @throws if the function fails to load or the process ends early
 */
export async function startCold(
  runtime: string,
  { name, entry, memoryMegabytes, variables, event }: Candidate,
): Promise<ColdStart> {
  const child = spawn(process.execPath, [runtime], {
    env: {
      ...variables,
      BENCH_ENTRY: entry,
      BENCH_EVENT: JSON.stringify(event),
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMegabytes),
    },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  const [told, errors] = await Promise.all([child.stdio[3], child.stderr].map((stream) => text(stream as Readable)));
  if (!told) throw new Error(`the process of ${name} ended early: ${errors}`);
  const { loaded, called } = JSON.parse(told) as Told;
  return {
    cpuMs: loaded.cpuMs + called.cpuMs,
    initMs: loaded.wallMs,
    callMs: callMsOf(called, memoryMegabytes),
    status: called.status,
  };
}
