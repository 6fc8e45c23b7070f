import { availableParallelism } from 'node:os';
import { startSandbox } from '../../functions/sandbox.ts';
import type { Failure, Outcome, Sandbox, SandboxSpec, TakeChunk } from './sandbox-protocol.ts';

/** All sandboxes of one function: they are started on demand, stay warm, and are replaced when they die. */
export interface FunctionPool {
  readonly maxConcurrency: number;
  /** `take` gets what the function streams. */
  invoke(event: unknown, take?: TakeChunk): Promise<Outcome>;
  /** Ends every sandbox at once, as when the machine under it goes away; the next call starts a fresh one. */
  kill(): Promise<void>;
  /** Starts a sandbox before anybody calls. */
  warm(): void;
  /** Gives other code to every call that has not begun; those that have end on the code they began on. */
  renew(spec: SandboxSpec): Promise<void>;
  stop(): Promise<void>;
}

// More threads that compute than there are cores only take the machine from each other, and start cold. So a function
// has as many sandboxes, and others while some wait for somebody: a receiver, say. Once as many as the cores do, one more is
// ready before it is called.
const cores = availableParallelism();
const quickMs = 100;
const lookMs = 25;

export type OpenSandbox = (spec: SandboxSpec, onLine: (line: string) => void) => Sandbox;

/** Lambda logs the failure of a handler too, on one line. */
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
  // They end their call on code that is not the current one any more.
  const outdated = new Set<Sandbox>();
  let idle: Sandbox[] = [];
  const waiting: ((sandbox: Sandbox | undefined) => void)[] = [];
  let starting = 0;
  let calls = 0;
  let looking: NodeJS.Timeout | undefined;
  let isStopped = false;

  const retire = (sandbox: Sandbox) => {
    outdated.delete(sandbox);
    void sandbox.terminate();
    grow();
  };

  const hand = (sandbox: Sandbox) => {
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
    // Where it is broken, its call hears why.
    hand(sandbox);
  };

  const grow = () => {
    while (starting < waiting.length && all.size < Math.min(cores, maxConcurrency)) void start();
  };

  const look = () => {
    const heldUp = [...all].filter((sandbox) => sandbox.isHeldUp(quickMs)).length;
    const ready = heldUp < cores ? 0 : 1;
    const wanted = Math.min(heldUp + (waiting.length > 0 ? cores : ready), maxConcurrency);
    if (starting === 0 && all.size < wanted) void start();
    if (calls > 0) return;
    clearInterval(looking);
    looking = undefined;
  };

  // As in Lambda, a call takes whichever is ready first: a sandbox that was started, or one that has become free.
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
    if (sandbox.isAlive()) return hand(sandbox);
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
    async invoke(event, take) {
      const sandbox = await acquire();
      if (!sandbox) return { failure: { errorType: 'ServiceException', errorMessage: 'the local stack has stopped' } };
      calls += 1;
      looking ??= setInterval(look, lookMs);
      const outcome = await sandbox.invoke(JSON.stringify(event) ?? 'null', take);
      calls -= 1;
      release(sandbox);
      const { failure } = outcome;
      if (failure && !isStopped) onFailure(failure);
      return outcome;
    },
    kill,
    warm() {
      if (all.size === 0) void start();
    },
    async renew(next) {
      current = next;
      const free = idle.splice(0);
      for (const sandbox of all) if (!free.includes(sandbox)) outdated.add(sandbox);
      all.clear();
      grow();
      await Promise.all(free.map((sandbox) => sandbox.terminate()));
    },
    async stop() {
      isStopped = true;
      clearInterval(looking);
      for (const resolve of waiting.splice(0)) resolve(undefined);
      await kill();
    },
  };
}
