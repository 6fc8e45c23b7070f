import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { oneCoreMegabytes } from '../../shared/contract/job.ts';

export interface Loaded {
  readonly wallMs: number;
  readonly cpuMs: number;
}

export interface Called extends Loaded {
  /** The status code of the response, or the text of an error. */
  readonly status: string;
}

export interface ColdStart {
  readonly cpuMs: number;
  readonly initMs: number;
  /** The duration of the first call with the share of a core that the function's memory provides. */
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

/** Computes how long a call takes with the share of a core that this memory provides. */
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
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMegabytes),
    },
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  const errors: string[] = [];
  // Ignore failed writes to a process that has ended, because its standard error shows why it ended.
  child.stdin?.on('error', () => {});
  child.stderr?.on('data', (text) => errors.push(String(text)));
  const exited = once(child, 'close');
  const lines = createInterface({ input: child.stdio[3] as Readable })[Symbol.asyncIterator]();
  const next = async <Told>(): Promise<Told> => {
    const { value, done } = await lines.next();
    if (done) {
      await exited;
      throw new Error(`the process of ${name} ended early: ${errors.join('')}`);
    }
    return JSON.parse(value) as Told;
  };
  const loaded = await next<Loaded>();
  child.stdin?.end(JSON.stringify(event));
  const called = await next<Called>();
  await exited;
  return {
    cpuMs: loaded.cpuMs + called.cpuMs,
    initMs: loaded.wallMs,
    callMs: callMsOf(called, memoryMegabytes),
    status: called.status,
  };
}
