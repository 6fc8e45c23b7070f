import { availableParallelism } from 'node:os';
import { startSandbox } from './sandbox.ts';
import type { Failure, OnChunk, Outcome, Sandbox, SandboxSpec } from './sandbox-protocol.ts';

/** A pool of sandboxes for a function. Sandboxes start on demand, stay warm, and are replaced after a crash. */
export interface FunctionPool {
  readonly maxConcurrency: number;
  /** @param onChunk called with each chunk that the function streams */
  invoke(event: unknown, onChunk?: OnChunk): Promise<Outcome>;
  /** Terminates every sandbox immediately, to simulate a machine failure. The next call starts a new sandbox. */
  kill(): Promise<void>;
  warmUp(): void;
  /** Runs all later calls with the new code. Calls that are already running finish with the old code. */
  replaceCode(spec: SandboxSpec): Promise<void>;
  stop(): Promise<void>;
}

// A function has at most one busy sandbox per core, because more busy threads would only compete for CPU time.
// Sandboxes that are waiting for I/O do not count as busy. When the number of sandboxes waiting for I/O reaches the
// number of cores, the pool starts another sandbox in advance.
const cores = availableParallelism();
const blockedAfterMs = 100;
const scaleIntervalMs = 25;

export type OpenSandbox = (spec: SandboxSpec, onLine: (line: string) => void) => Sandbox;

export const failureLine = (failure: Failure): string => `ERROR Invoke Error ${JSON.stringify(failure)}`;

export function createFunctionPool(
  spec: SandboxSpec,
  maxConcurrency: number,
  onLine: (line: string) => void,
  onFailure: (failure: Failure) => void = (failure) => onLine(failureLine(failure)),
  open: OpenSandbox = startSandbox,
): FunctionPool {
  let current = spec;
  const all = new Set<Sandbox>();
  // The sandboxes that are still running a call with old code.
  const outdated = new Set<Sandbox>();
  let idle: Sandbox[] = [];
  const waiting: ((sandbox: Sandbox | undefined) => void)[] = [];
  let starting = 0;
  let calls = 0;
  let scaling: NodeJS.Timeout | undefined;
  let isStopped = false;

  const retire = (sandbox: Sandbox) => {
    outdated.delete(sandbox);
    void sandbox.terminate();
    grow();
  };

  const assign = (sandbox: Sandbox) => {
    if (outdated.has(sandbox)) return retire(sandbox);
    const next = waiting.shift();
    if (next) next(sandbox);
    else if (sandbox.isAlive()) idle.push(sandbox);
    else all.delete(sandbox);
  };

  const start = async () => {
    starting += 1;
    const sandbox = open(current, onLine);
    all.add(sandbox);
    await sandbox.ready;
    starting -= 1;
    // A sandbox that failed to start is assigned to a waiting call, which then fails with the reason.
    assign(sandbox);
  };

  const grow = () => {
    while (starting < waiting.length && all.size < Math.min(cores, maxConcurrency)) void start();
  };

  const scale = () => {
    const blockedCount = [...all].filter((sandbox) => sandbox.isBlocked(blockedAfterMs)).length;
    const spare = blockedCount < cores ? 0 : 1;
    const wanted = Math.min(blockedCount + (waiting.length > 0 ? cores : spare), maxConcurrency);
    if (starting === 0 && all.size < wanted) void start();
    if (calls > 0) return;
    clearInterval(scaling);
    scaling = undefined;
  };

  // As in Lambda, a call runs in the first sandbox that is ready, whether new or reused.
  const acquire = async (): Promise<Sandbox | undefined> => {
    if (isStopped) return undefined;
    for (let sandbox = idle.pop(); sandbox; sandbox = idle.pop()) {
      if (sandbox.isAlive()) return sandbox;
      all.delete(sandbox);
    }
    return new Promise((resolve) => {
      waiting.push(resolve);
      grow();
    });
  };

  const release = (sandbox: Sandbox) => {
    if (sandbox.isAlive()) return assign(sandbox);
    all.delete(sandbox);
    outdated.delete(sandbox);
    grow();
  };

  const kill = async () => {
    idle = [];
    const sandboxes = [...all, ...outdated];
    all.clear();
    outdated.clear();
    await Promise.all(sandboxes.map((sandbox) => sandbox.terminate()));
  };

  return {
    maxConcurrency,
    async invoke(event, onChunk) {
      const sandbox = await acquire();
      if (!sandbox) return { failure: { errorType: 'ServiceException', errorMessage: 'the local stack has stopped' } };
      calls += 1;
      scaling ??= setInterval(scale, scaleIntervalMs);
      const outcome = await sandbox.invoke(JSON.stringify(event) ?? 'null', onChunk);
      calls -= 1;
      release(sandbox);
      const { failure } = outcome;
      if (failure && !isStopped) onFailure(failure);
      return outcome;
    },
    kill,
    warmUp() {
      if (all.size === 0) void start();
    },
    async replaceCode(next) {
      current = next;
      const idleNow = idle.splice(0);
      for (const sandbox of all) if (!idleNow.includes(sandbox)) outdated.add(sandbox);
      all.clear();
      grow();
      await Promise.all(idleNow.map((sandbox) => sandbox.terminate()));
    },
    async stop() {
      isStopped = true;
      clearInterval(scaling);
      for (const resolve of waiting.splice(0)) resolve(undefined);
      await kill();
    },
  };
}
